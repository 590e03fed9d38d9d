"""Arguments for the calls that are compared: fresh values of the same sizes, and other sizes of the dynamic ones."""

# pyright: basic
from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.utils import _pytree as pytree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .subject import Subject

Call = tuple[tuple[Any, ...], dict[str, Any]]


def same_sizes(subject: Subject) -> Iterator[Call]:
    """Calls with the sizes of the example, always the same: signs flipped, then random, then of one sign."""
    yield clone((subject.args, subject.kwargs))
    for extra in subject.extra_inputs:
        yield clone((extra, subject.kwargs))
    makers: tuple[Callable[[torch.Tensor, torch.Generator], torch.Tensor], ...] = (
        lambda t, _: -t,
        lambda t, g: torch.randn(t.shape, generator=g),
        lambda t, g: torch.randn(t.shape, generator=g).abs(),
        lambda t, g: -torch.randn(t.shape, generator=g).abs(),
        lambda t, g: torch.randn(t.shape, generator=g),
    )
    for number, maker in enumerate(makers):
        generator = torch.Generator().manual_seed(100 + number)
        leaves, tree = pytree.tree_flatten((subject.args, subject.kwargs))
        yield pytree.tree_unflatten([_fresh(leaf, number, maker, generator) for leaf in leaves], tree)


def _fresh(leaf: Any, number: int, maker: Callable[..., torch.Tensor], generator: torch.Generator) -> Any:
    if not isinstance(leaf, torch.Tensor):
        return leaf
    if leaf.dtype is torch.bool:
        if number == 0:
            return ~leaf
        return torch.rand(leaf.shape, generator=generator) > 0.5
    if leaf.is_floating_point():
        return maker(leaf.detach(), generator).to(leaf.dtype).requires_grad_(leaf.requires_grad)
    if leaf.is_complex() or leaf.numel() == 0:
        return leaf.clone()
    # Integers are most often indices or lengths: what is in the example's range stays valid.
    low, high = int(leaf.min()), int(leaf.max())
    if low == high:
        low, high = (low - 1 if low > 1 else low), high + 1
    return torch.randint(low, high + 1, leaf.shape, generator=generator, dtype=leaf.dtype)


def clone(call: Call) -> Call:
    """The same call with copies of its tensors, so that neither side sees what the other one writes. A tensor that is given
    twice is copied once: export takes it for one input."""
    copies: dict[int, torch.Tensor] = {}

    def copied(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        if id(leaf) not in copies:
            copies[id(leaf)] = leaf.detach().clone().requires_grad_(leaf.requires_grad)
        return copies[id(leaf)]

    args, kwargs = pytree.tree_map(copied, call)
    return args, kwargs


@dataclass(frozen=True)
class AskedDimension:
    """A dimension that the case asked to be dynamic: the dimension `axis` of the flattened input `leaf`. `size` is its size in
    the example, None if the tensor has no such dimension."""

    leaf: int
    axis: int
    size: int | None
    dim: Any

    @property
    def group(self) -> object:
        """Dimensions of one group can only change together."""
        root = getattr(self.dim, "root", self.dim)
        # A `ShapeVar` is the same one where it stands twice; of its name there may be several.
        return getattr(root, "__name__", None) or getattr(root, "_uid", None) or (self.leaf, self.axis)

    def size_for(self, root_size: int) -> int:
        """The size of this dimension when the root of its group has `root_size` (a derived Dim such as `2*b`)."""
        derive = getattr(self.dim, "fn", None)
        return int(str(derive(root_size))) if callable(derive) and hasattr(self.dim, "root") else root_size


def asked(subject: Subject) -> tuple[AskedDimension, ...]:
    """The dimensions that `dynamic_shapes` of the case asks for."""
    if subject.dynamic_shapes is None:
        return ()
    leaves, _ = pytree.tree_flatten((subject.args, subject.kwargs))
    index = {id(leaf): number for number, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)}
    signature = inspect.signature(subject.model.forward)
    arguments = signature.bind(*subject.args, **subject.kwargs).arguments
    flat: dict[str, Any] = {}
    for name, value in arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            flat.update(value)
        else:
            flat[name] = value
    spec = _written_out(subject.dynamic_shapes)
    if isinstance(spec, (tuple, list)):
        spec = dict(zip(flat, spec))
    return tuple(_walk(spec, flat, index))


# Where `ShapesSpec` and its parts (torch 2.14, torch/fx/experimental/dynamic_spec.py) keep what they were given.
_PARTS = ("_params", "_named_args", "_entries", "_fields", "_specs")


def _written_out(spec: Any) -> Any:
    """A specification in which `ShapesSpec`, `ParamsSpec`, `TensorSpec` and their kin are dicts and lists."""
    if type(spec).__module__ == "torch.fx.experimental.dynamic_spec":
        part = next((name for name in _PARTS if hasattr(spec, name)), None)
        return spec if part is None else _written_out(getattr(spec, part))
    if isinstance(spec, dict):
        return {key: _written_out(value) for key, value in spec.items()}
    return [_written_out(value) for value in spec] if isinstance(spec, (tuple, list)) else spec


def _walk(spec: Any, value: Any, index: dict[int, int]) -> Iterator[AskedDimension]:
    if not spec:
        return
    if isinstance(value, torch.Tensor):
        entries = spec.items() if isinstance(spec, dict) else enumerate(spec)
        for axis, dim in entries:
            if dim is None or isinstance(dim, int) or "STATIC" in repr(dim):
                continue
            size = value.shape[axis] if -value.ndim <= axis < value.ndim else None
            yield AskedDimension(index[id(value)], axis, size, dim)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in spec:
                yield from _walk(spec[key], item, index)
    elif isinstance(value, (tuple, list)):
        for part, item in zip(spec, value):
            yield from _walk(part, item, index)


def other_sizes(subject: Subject) -> Iterator[list[Call]]:
    """For each dynamic dimension and other size of it: the calls to try, the first that eager accepts is the one.

    Eager may refuse a size because a second dimension has to follow. That is why the list goes on with all dimensions
    that have the same size in the example.
    """
    dimensions = asked(subject)
    seen: set[object] = set()
    for dimension in dimensions:
        if dimension.group in seen or dimension.size is None:
            continue
        seen.add(dimension.group)
        group = [d for d in dimensions if d.group == dimension.group]
        root = getattr(dimension.dim, "root", dimension.dim)
        low, high = getattr(root, "min", None), getattr(root, "max", None)
        low = low if isinstance(low, int) else 0
        high = high if isinstance(high, int) else 1 << 30
        size = next((d.size for d in group if d.dim is root), None)
        if size is None:
            # No input has the size of a Dim that is declared only by what derives from it: of these, the least one is tried.
            sizes = [low] if low > 0 else []
        else:
            # Half the size, so that a branch between small and large shows; not 2 at once, where halves and differences
            # become the 1 and 0 that torch.export sets apart in every program.
            tried = [size // 2, size - 1, size + 1, 2 * size, 13]
            sizes = [n for n in dict.fromkeys(tried) if n != size and max(low, 2) <= n <= high]
        for size in sizes:
            alone = [(d, d.size_for(size)) for d in group]
            together = [
                (d, d.size_for(size)) for d in dimensions if d.group == dimension.group or d.size == dimension.size
            ]
            yield [_resized(subject, alone), _resized(subject, together)]


def _resized(subject: Subject, sizes: list[tuple[AskedDimension, int]]) -> Call:
    leaves, tree = pytree.tree_flatten((subject.args, subject.kwargs))
    generator = torch.Generator().manual_seed(7)
    for number in {dimension.leaf for dimension, _ in sizes}:
        leaf = leaves[number]
        shape = list(leaf.shape)
        for dimension, size in sizes:
            if dimension.leaf == number:
                shape[dimension.axis] = size
        leaves[number] = (
            _fresh(
                leaf.new_zeros(()).expand(shape).clone(), 1, lambda t, g: torch.randn(t.shape, generator=g), generator
            )
            if leaf.is_floating_point()
            else _resample(leaf, shape, generator)
        )
    return clone(pytree.tree_unflatten(leaves, tree))


def _resample(leaf: torch.Tensor, shape: list[int], generator: torch.Generator) -> torch.Tensor:
    values = leaf.flatten()
    count = 1
    for size in shape:
        count *= size
    return values[torch.randint(0, values.numel(), (count,), generator=generator)].reshape(shape)
