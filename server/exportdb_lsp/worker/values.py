"""Fresh values for the same inputs: other numbers of the same kind, reproducibly."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import copy
import dataclasses
import functools
import random
import sys
from typing import Any

from .program import has_values

Sizes = dict[int, tuple[int, ...]]
"""New shapes by the position of the tensor among the leaves of the inputs."""
# Dataclasses in dataclasses; one that holds itself has no end.
MAX_DEEP = 4


def seed(number: int) -> None:
    """Puts every generator that a model is likely to draw from to the same place."""
    torch: Any = sys.modules["torch"]
    # Where there is nothing else to seed, the default generator is all that `torch.manual_seed` comes to: but it takes
    # a stack trace for each kind of device first, and that a dozen times in an export of a small model.
    (torch.manual_seed if _devices() else torch.default_generator.manual_seed)(number)
    random.seed(number)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(number)


@functools.cache
def _devices() -> bool:
    """Whether there may be a device with a generator of its own."""
    torch: Any = sys.modules["torch"]
    try:
        return (
            torch.cuda.is_available()
            or torch.xpu.is_available()
            or torch.backends.mps.is_available()
            or torch._C._get_privateuse1_backend_name() != "privateuseone"
        )
    except Exception:  # a torch that does not know one of them is not worth the trouble
        return True


def duplicate(value: Any) -> Any:
    """A copy of inputs that a call may change, tensors detached but wanting gradients as before.

    One tensor that is given twice is one tensor in the copy: export takes it for one input (torch 2.13, both modes).
    """
    torch: Any = sys.modules["torch"]
    from torch.utils import _pytree as pytree

    copies: dict[int, Any] = {}

    def leaf(item: Any) -> Any:
        if isinstance(item, torch.Tensor):
            if not has_values(item):
                return item
            if id(item) in copies:
                return copies[id(item)]
            fresh = item.detach().clone()
            copies[id(item)] = fresh = fresh.requires_grad_(item.requires_grad) if item.requires_grad else fresh
            return fresh
        try:
            return copy.deepcopy(item)
        except Exception:
            return item

    return pytree.tree_map(leaf, value)


def vary(inputs: Any, number: int, kind: str, sizes: Sizes | None = None) -> Any:
    """The inputs with other values in their tensors.

    `kind` is `fresh` (drawn from the range of the given values), `negated` (floats negated, flags flipped: what turns
    most predicates over), `zero`, `positive`, `negative`, `large` (a thousandfold), `scaled` (fresh, by a power of ten)
    or `given` (the values as they are, drawn anew only where `sizes` changes a shape).
    """
    torch: Any = sys.modules["torch"]
    from torch.utils import _pytree as pytree

    generator = torch.Generator().manual_seed(number)
    flat, structure = pytree.tree_flatten(inputs)
    out = []
    for position, item in enumerate(flat):
        if not isinstance(item, torch.Tensor):
            out.append(_of_fields(item, kind, generator, torch))
            continue
        shape = (sizes or {}).get(position)
        out.append(_tensor(item, shape, kind, generator, torch))
    return pytree.tree_unflatten(out, structure)


def _of_fields(given: Any, kind: str, generator: Any, torch: Any, depth: int = 0) -> Any:
    """An object that pytree does not look into; the tensors in its fields or items, and in lists and dataclasses there, are
    varied in their order, as they are once the class is registered."""
    from torch.utils import _pytree as pytree

    def varied(value: Any) -> Any:
        flat, structure = pytree.tree_flatten(value)
        out = [
            _tensor(item, None, kind, generator, torch)
            if isinstance(item, torch.Tensor)
            else _of_fields(item, kind, generator, torch, depth + 1)
            if depth < MAX_DEEP
            else copy.deepcopy(item)
            for item in flat
        ]
        return pytree.tree_unflatten(out, structure)

    fresh = copy.deepcopy(given)
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        for field in dataclasses.fields(given):
            object.__setattr__(fresh, field.name, varied(getattr(given, field.name, None)))
    elif isinstance(given, dict):
        for key, value in dict.items(given):
            dict.__setitem__(fresh, key, varied(value))
    return fresh


def _tensor(given: Any, shape: tuple[int, ...] | None, kind: str, generator: Any, torch: Any) -> Any:
    like = given.detach()
    plain = like.layout == torch.strided and not like.is_quantized and not getattr(like, "is_nested", False)
    if not plain or (like.numel() == 0 and shape is None):
        return duplicate(given)
    if shape is not None and tuple(like.shape) != shape:
        fresh = _drawn(like, shape, generator, torch)
    elif kind == "fresh":
        fresh = like.clone()
        fresh.copy_(_drawn(like, tuple(like.shape), generator, torch))
    elif kind == "negated" and like.dtype == torch.bool:
        fresh = ~like
    elif kind != "given" and (like.is_floating_point() or like.is_complex()):
        fresh = _changed(like, kind, generator, torch)
    elif kind in ("zero", "positive", "negative") and like.dtype == torch.bool:
        fresh = torch.full_like(like, kind == "positive")
    elif kind == "scaled":
        fresh = like.clone()
        fresh.copy_(_drawn(like, tuple(like.shape), generator, torch))
    else:
        fresh = like.clone()
    return fresh.requires_grad_() if given.requires_grad else fresh


def _changed(like: Any, kind: str, generator: Any, torch: Any) -> Any:
    if kind == "zero":
        return torch.zeros_like(like)
    if kind in ("positive", "negative"):
        size = like.abs() + 0.5
        return size if kind == "positive" else -size
    if kind == "large":
        return like * 1000
    if kind == "scaled":
        drawn = _drawn(like, tuple(like.shape), generator, torch)
        power = int(torch.randint(-3, 4, (), generator=generator))
        sign = 1 if bool(torch.rand((), generator=generator) < 0.5) else -1
        fresh = like.clone()
        fresh.copy_(drawn * (sign * 10.0**power))
        return fresh
    return -like


def _drawn(like: Any, shape: tuple[int, ...], generator: Any, torch: Any) -> Any:
    if like.dtype == torch.bool:
        return (torch.rand(shape, generator=generator) < 0.5).to(like.device)
    if like.is_complex():
        return torch.randn(shape, generator=generator, dtype=like.dtype).to(like.device)
    if not like.is_floating_point():
        return _integers(like, shape, generator, torch)
    known = like.double().flatten()
    known = known[torch.isfinite(known)]
    if known.numel() == 0:
        return torch.randn(shape, generator=generator).to(like.device, like.dtype)
    low, high = float(known.min()), float(known.max())
    if low < 0 or (low == high == 0):
        spread = float(known.std(unbiased=False)) or 1.0
        values = torch.randn(shape, generator=generator, dtype=torch.float64) * spread + float(known.mean())
    else:
        low, high = (0.5 * low, 1.5 * high) if low == high else (low, high)
        values = torch.rand(shape, generator=generator, dtype=torch.float64) * (high - low) + low
    return values.to(like.device, like.dtype)


def _integers(like: Any, shape: tuple[int, ...], generator: Any, torch: Any) -> Any:
    if like.numel() == 0:
        return torch.zeros(shape, dtype=like.dtype, device=like.device)
    flat = like.flatten()
    low, high = int(flat.min()), int(flat.max())
    # Offsets into another tensor (0, 3, 7, …) mean nothing once they are drawn anew.
    offsets = like.dim() == 1 and like.numel() > 2 and low == 0 and bool((flat[1:] > flat[:-1]).all())
    if offsets and tuple(like.shape) == shape:
        return like.clone()
    if offsets:
        return torch.arange(shape[0], dtype=like.dtype, device=like.device)
    if low == high:  # one number, an index or a length: its neighbours are the likeliest to be valid too
        low, high = (low - 1 if low > 1 else low), high + 1
    drawn = torch.randint(low, high + 1, shape, generator=generator, dtype=torch.int64)
    return drawn.to(like.device, like.dtype)
