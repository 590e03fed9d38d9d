"""What two answers to one call are, as plain data: whoever did not run the model's code compares them once more.

Read from memory by address, with what was bound before the model's code ran, so that neither a replaced function of torch
nor an overridden operator stands between the numbers and the report.
"""

# torch publishes partial types only, and the outputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import ctypes
import hashlib
import struct
import sys
from collections.abc import Iterator
from typing import Any

# Of a tensor whose bits differ so many values are reported, evenly spread; of an answer so many leaves.
MAX_VALUES, MAX_LEAVES = 1024, 500
# Objects that an answer is looked through for its leaves: one that holds itself twice has no end.
MAX_LOOKED_AT = 5000

Row = dict[str, Any]

# How the values of each type of torch lie in memory. Those of other types are reported by their bits alone.
_FORMATS = {
    "torch.float32": "f", "torch.float64": "d", "torch.float16": "e", "torch.bfloat16": "H", "torch.complex64": "ff",
    "torch.complex128": "dd", "torch.bool": "?", "torch.uint8": "B", "torch.int8": "b", "torch.int16": "h",
    "torch.int32": "i", "torch.int64": "q",
}  # fmt: skip
_PLAIN = (bool, int, float, complex, str, bytes, type(None))

# Bound when the worker starts, before any code of the user runs.
_Tensor: Any = getattr(sys.modules.get("torch"), "Tensor", None)
_bound: dict[str, Any] = {
    name: getattr(_Tensor, name, None)
    for name in ("data_ptr", "stride", "size", "numel", "is_contiguous", "element_size", "is_conj", "is_neg", "cpu", "detach")
}  # fmt: skip
_blake2b = hashlib.blake2b
_unpack = struct.unpack
_at = ctypes.string_at
_repr, _str, _isinstance, _type, _len = repr, str, isinstance, type, len


def rows(eager: Any, exported: Any, what: str = "output") -> list[Row]:
    """The leaves of two answers, or of two inputs as they were left, side by side: place, type, shapes, and values where the bits differ."""
    found: list[Row] = []
    for place, left, right in _leaves(eager, exported, what, [MAX_LOOKED_AT]):
        if _len(found) == MAX_LEAVES:
            break
        row = _row(left, right)
        if row is not None:
            found.append({"place": place, **row})
    return found


def _leaves(left: Any, right: Any, place: str, steps: list[int]) -> Iterator[tuple[str, Any, Any]]:
    steps[0] -= 1
    if steps[0] < 0 or _len(place) > 1000:
        return
    if _isinstance(left, dict) and _isinstance(right, dict):
        for key in left:
            if key in right:
                yield from _leaves(left[key], right[key], f"{place}[{_str(key)[:60]}]", steps)
    elif _isinstance(left, (list, tuple)) and _isinstance(right, (list, tuple)):
        for number, (one, other) in enumerate(zip(left, right)):
            yield from _leaves(one, other, f"{place}[{number}]", steps)
    elif (_Tensor is not None and _isinstance(left, _Tensor)) or _type(left) in _PLAIN or _type(right) in _PLAIN:
        yield place, left, right
    else:
        contents = getattr(left, "__dict__", None), getattr(right, "__dict__", None)
        yield from _leaves(*contents, f"{place}.", steps)


def _row(left: Any, right: Any) -> Row | None:
    if not _isinstance(left, _Tensor):
        if _type(left) not in _PLAIN or _type(right) not in _PLAIN:
            return None
        return {"kind": "plain", "eager": _told(left), "exported": _told(right)}
    try:
        one, other = _Memory(left), _Memory(right)
    except Exception:  # sparse, quantized, fake, of a class of its own: it has no memory of its own
        return {"kind": "opaque"}
    row: Row = {"kind": one.dtype, "shape": one.shape, "other": [other.dtype, other.shape]}
    if (one.dtype, one.shape) == (other.dtype, other.shape) and one.bits() != other.bits():
        places = one.places()
        row.update(eager=one.values(places), exported=other.values(places))
    return row


def _told(value: Any) -> Any:
    if _isinstance(value, float) and value == value and abs(value) != float("inf"):
        return value
    return _repr(value)[:200] if not _isinstance(value, (bool, int)) or abs(value) >= 2**53 else value


class _Memory:
    """A tensor of the processor, by address. Raises whatever torch raises where there is no such memory."""

    def __init__(self, tensor: Any) -> None:
        call = _bound
        tensor = call["detach"](tensor)
        if tensor.device.type != "cpu" and tensor.device.type != "meta":
            tensor = call["cpu"](tensor)
        lazy = call["is_conj"](tensor) or call["is_neg"](tensor)
        if _str(tensor.layout) != "torch.strided" or tensor.is_quantized or lazy:
            raise TypeError
        self._kept = tensor
        self.dtype = _str(tensor.dtype)
        self.shape = [int(n) for n in call["size"](tensor)]
        self._strides = [int(n) for n in call["stride"](tensor)]
        self._item = int(call["element_size"](tensor))
        self._count = int(call["numel"](tensor))
        self._address = int(call["data_ptr"](tensor))
        self._whole = bool(call["is_contiguous"](tensor))
        if self._count and not self._address:
            raise TypeError

    def bits(self) -> str:
        """What tells its memory from another; of one that lies in pieces, the memory of some of its values."""
        state = _blake2b(digest_size=16)
        if self._whole:
            size = self._count * self._item
            for start in range(0, size, 1 << 24):
                state.update(_at(self._address + start, min(1 << 24, size - start)))
        else:
            for place in self.places():
                state.update(self._bytes(place))
        return state.hexdigest()

    def places(self) -> range:
        """Of which values to tell: their numbers, in the order of the dimensions."""
        return range(0, self._count, max(1, -(-self._count // MAX_VALUES)))

    def _bytes(self, place: int) -> bytes:
        offset = 0
        for size, stride in zip(reversed(self.shape), reversed(self._strides)):
            place, index = divmod(place, size)
            offset += index * stride
        return _at(self._address + offset * self._item, self._item)

    def values(self, places: range) -> list[list[float | str]]:
        """Those values, each as one or two numbers; none where the type is not known here."""
        form = _FORMATS.get(self.dtype)
        found: list[list[float | str]] = []
        for place in places if form is not None else ():
            numbers = _unpack(f"={form}", self._bytes(place))
            if self.dtype == "torch.bfloat16":
                numbers = _unpack("=f", (numbers[0] << 16).to_bytes(4, sys.byteorder))
            found.append([_told(n) if _isinstance(n, float) else int(n) for n in numbers])
        return found
