"""The sizes that torch's operators and modules give, in numbers: where the sizes that go in are known, those that come out
are. Sources: the operators' documentation, and the formulas of `torch.nn`'s pages for convolutions and pools."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Sizes = tuple[int, ...]

# Those that give values and indices where they are given a dimension.
INDEXED: Final = frozenset(("max", "min", "median", "mode", "kthvalue"))


def along(sizes: Sizes, dim: int) -> int | None:
    """A dimension counted from the front; None where there is no such one."""
    index = dim + len(sizes) if dim < 0 else dim
    return index if 0 <= index < len(sizes) else None


def reduced(sizes: Sizes, dims: int | Sizes | None, keep: bool) -> Sizes | None:
    """The sizes of a reduction over some dimensions; over all of them where none are named."""
    if dims is None:
        return tuple([1] * len(sizes)) if keep else ()
    gone = {along(sizes, dim) for dim in ((dims,) if isinstance(dims, int) else dims)}
    if None in gone:
        return None
    return tuple([1 if i in gone else n for i, n in enumerate(sizes) if keep or i not in gone])


def viewed(sizes: Sizes, wanted: Sizes) -> Sizes | None:
    """The sizes of `view` and `reshape`, one of which may be -1."""
    total, known = prod(sizes), prod(n for n in wanted if n != -1)
    if wanted.count(-1) == 1:
        return tuple([total // known if n == -1 else n for n in wanted]) if known and total % known == 0 else None
    return wanted if known == total and -1 not in wanted else None


def flattened(sizes: Sizes, start: int = 0, end: int = -1) -> Sizes | None:
    """The sizes of `flatten`."""
    first, last = along(sizes, start), along(sizes, end)
    if first is None or last is None or first > last:
        return None
    return (*sizes[:first], prod(sizes[first : last + 1]), *sizes[last + 1 :])


def squeezed(sizes: Sizes, dim: int | None = None) -> Sizes | None:
    """The sizes of `squeeze`."""
    if dim is None:
        return tuple([n for n in sizes if n != 1])
    index = along(sizes, dim)
    return None if index is None else tuple([n for i, n in enumerate(sizes) if i != index or n != 1])


def unsqueezed(sizes: Sizes, dim: int) -> Sizes | None:
    """The sizes of `unsqueeze`."""
    index = dim + len(sizes) + 1 if dim < 0 else dim
    return (*sizes[:index], 1, *sizes[index:]) if 0 <= index <= len(sizes) else None


def swapped(sizes: Sizes, one: int, two: int) -> Sizes | None:
    """The sizes of `transpose`."""
    a, b = along(sizes, one), along(sizes, two)
    if a is None or b is None:
        return None
    done = list(sizes)
    done[a], done[b] = done[b], done[a]
    return tuple(done)


def permuted(sizes: Sizes, order: Sizes) -> Sizes | None:
    """The sizes of `permute`."""
    places = [along(sizes, dim) for dim in order]
    if sorted(-1 if p is None else p for p in places) != list(range(len(sizes))):
        return None
    return tuple([sizes[p] for p in places if p is not None])


def expanded(sizes: Sizes, wanted: Sizes) -> Sizes | None:
    """The sizes of `expand`."""
    if len(wanted) < len(sizes):
        return None
    old = (1,) * (len(wanted) - len(sizes)) + sizes
    if any(new not in (-1, was) and was != 1 for new, was in zip(wanted, old, strict=True)):
        return None
    return tuple([was if new == -1 else new for new, was in zip(wanted, old, strict=True)])


def repeated(sizes: Sizes, times: Sizes) -> Sizes | None:
    """The sizes of `repeat`."""
    if len(times) < len(sizes):
        return None
    old = (1,) * (len(times) - len(sizes)) + sizes
    return tuple([n * t for n, t in zip(old, times, strict=True)])


def resized(sizes: Sizes, dim: int, size: int) -> Sizes | None:
    """Sizes of which one is another."""
    index = along(sizes, dim)
    return None if index is None or size < 0 else (*sizes[:index], size, *sizes[index + 1 :])


def broadcast(a: Sizes, b: Sizes) -> Sizes | None:
    """The sizes that two broadcast to; None where they do not."""
    length = max(len(a), len(b))
    done: list[int] = []
    for one, two in zip((1,) * (length - len(a)) + a, (1,) * (length - len(b)) + b, strict=True):
        if one != two and 1 not in (one, two):
            return None
        done.append(two if one == 1 else one)
    return tuple(done)


def multiplied(a: Sizes, b: Sizes) -> Sizes | None:
    """The sizes of a matrix product."""
    if not a or not b or a[-1] != b[-2:][0]:
        return None
    batch = broadcast(a[:-2], b[:-2])
    if batch is None:
        return None
    return (*batch, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def joined(parts: Sequence[Sizes], dim: int) -> Sizes | None:
    """The sizes of `cat`."""
    first = parts[0]
    index = along(first, dim)
    if index is None or any(len(p) != len(first) for p in parts):
        return None
    if any(p[:index] != first[:index] or p[index + 1 :] != first[index + 1 :] for p in parts):
        return None
    return (*first[:index], sum(p[index] for p in parts), *first[index + 1 :])


def padded(sizes: Sizes, pads: Sizes) -> Sizes | None:
    """The sizes of `torch.nn.functional.pad`."""
    if len(pads) % 2 or len(pads) // 2 > len(sizes):
        return None
    done = list(sizes)
    for number in range(len(pads) // 2):
        done[-1 - number] += pads[2 * number] + pads[2 * number + 1]
    return tuple(done) if min(done, default=0) >= 0 else None


def sliced(size: int, start: int | None, stop: int | None, step: int | None) -> int:
    """How many elements a slice takes."""
    return len(range(size)[slice(start, stop, step)])


def _each(value: object, count: int) -> Sizes | None:
    """A setting of each dimension: one number stands for all."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return (value,) * count
    if isinstance(value, tuple) and len(value) == count and all(isinstance(v, int) for v in value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return value  # pyright: ignore[reportUnknownVariableType]
    return None


def windowed(sizes: Sizes, count: int, settings: Mapping[str, object], *, ceil: bool = False) -> Sizes | None:
    """The last sizes after a window of `kernel_size` went over them."""
    kernel = _each(settings.get("kernel_size"), count)
    stride = _each(settings.get("stride", 1), count)
    padding = _each(settings.get("padding", 0), count)
    dilation = _each(settings.get("dilation", 1), count)
    if not (kernel and stride and padding and dilation) or len(sizes) < count or ceil or min(stride) < 1:
        return None
    last = [
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(sizes[-count:], kernel, stride, padding, dilation, strict=True)
    ]
    return (*sizes[:-count], *last) if min(last) > 0 else None


_ORDER: Final[dict[str, tuple[str, ...]]] = {
    "Conv": ("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation"),
    "MaxPool": ("kernel_size", "stride", "padding", "dilation"),
    "AvgPool": ("kernel_size", "stride", "padding"),
    "AdaptiveAvgPool": ("output_size",),
    "AdaptiveMaxPool": ("output_size",),
    "Linear": ("in_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "Flatten": ("start_dim", "end_dim"),
    "GRUCell": ("input_size", "hidden_size"),
    "RNNCell": ("input_size", "hidden_size"),
    "LSTMCell": ("input_size", "hidden_size"),
}


def settings_of(kind: str) -> tuple[str, ...] | None:
    """The names of the positional arguments of a module's constructor; None where the sizes that it gives are not known."""
    return _ORDER.get(kind.rstrip("123d")) or _ORDER.get(kind)


def of_module(kind: str, settings: Mapping[str, object], sizes: Sizes) -> Sizes | None:
    """The sizes of what a torch.nn module gives for an input of these sizes."""
    bare = kind.rstrip("123d") if kind[-1:] == "d" else kind
    count = int(kind[-2]) if kind[-1:] == "d" and kind[-2].isdigit() else 0
    if kind == "Linear":
        size = _number(settings, "out_features")
        return None if size is None or not sizes else (*sizes[:-1], size)
    if kind == "Embedding":
        size = _number(settings, "embedding_dim")
        return None if size is None else (*sizes, size)
    if kind == "Flatten":
        start, end = settings.get("start_dim", 1), settings.get("end_dim", -1)
        return flattened(sizes, start, end) if isinstance(start, int) and isinstance(end, int) else None
    if kind in ("GRUCell", "RNNCell", "LSTMCell"):
        size = _number(settings, "hidden_size")
        return None if size is None or not sizes else (*sizes[:-1], size)
    if bare == "Conv" and len(sizes) > count:
        out, last = _number(settings, "out_channels"), windowed(sizes, count, settings)
        return None if out is None or last is None else (*last[: -count - 1], out, *last[-count:])
    if bare in ("MaxPool", "AvgPool"):
        named = {"stride": settings.get("kernel_size"), **settings}
        return windowed(sizes, count, named, ceil=settings.get("ceil_mode", False) is not False)
    if bare in ("AdaptiveAvgPool", "AdaptiveMaxPool"):
        size = _each(settings.get("output_size"), count)
        return None if size is None or len(sizes) <= count else (*sizes[:-count], *size)
    return None


def _number(settings: Mapping[str, object], name: str) -> int | None:
    value = settings.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
