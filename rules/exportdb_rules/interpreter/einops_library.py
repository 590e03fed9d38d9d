"""Models of einops: what its patterns make of the sizes of tensors.

A function reshapes its tensor to the axes that the left side names, moves, drops or adds some, and reshapes what is left to the
right side (`einops.einops._apply_recipe`); what that asks of dynamic sizes is what `reshape` asks (measured with einops 0.8 and
torch 2.13, `tests/rules/test_einops.py`).
"""

from __future__ import annotations

import ast
import re
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exportdb_rules.einops_patterns import ELLIPSIS, Groups, sides, written_out
from exportdb_rules.interpreter import ranks
from exportdb_rules.interpreter.demands import check_computed
from exportdb_rules.interpreter.dimensions import Dims, elements, of_term, term_of
from exportdb_rules.interpreter.dispatch import call
from exportdb_rules.interpreter.iteration import dimension, fresh_like
from exportdb_rules.interpreter.library import call_unmodelled, models
from exportdb_rules.interpreter.views import check_view, sizes_of_view
from exportdb_rules.interpreter.windows import unknown
from exportdb_rules.lattice import Mapping, Sequence, tensors
from exportdb_rules.operator_table import operator
from exportdb_rules.values import STATIC, STATIC_INT, TOP, Const, External, Instance, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from exportdb_rules.interpreter.machine import Frame

_FUNCTIONS: Final = ("rearrange", "reduce", "repeat")
_LAYERS: Final = {f"einops.layers.torch.{name.capitalize()}": name for name in _FUNCTIONS}
_REST: Final = Const(-1)
# Parameters of the functions that name no axis.
_OWN: Final = frozenset({"tensor", "pattern", "reduction"})


def _named(*names: str) -> Iterator[str]:
    """The qualified names of functions: of the package, and of the module that has them."""
    return (f"{module}.{name}" for name in names for module in ("einops", "einops.einops", "einops.packing"))


@models(*_named(*_FUNCTIONS))
def _function(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`rearrange(tensor, pattern, **axes)`, `repeat(…)`, `reduce(tensor, pattern, reduction, **axes)`."""
    short = name.rpartition(".")[2]
    tensor = args[0] if args else keywords.get("tensor", TOP)
    if type(tensor) is Sequence:
        tensor = call(frame, node, External("torch.stack"), [tensor], {})
    inputs = tensors(tensor)
    if not inputs:
        return TOP
    pattern = args[1] if len(args) > 1 else keywords.get("pattern")
    reduction = args[2] if len(args) > 2 else keywords.get("reduction")
    first = inputs[0]
    result = fresh_like(first, alias=short == "rearrange", origin=first.origin, dtype=_dtype(first, reduction))
    text = _text(pattern)
    if text is None or tensor is not first:
        return result
    axes = {key: value for key, value in keywords.items() if key not in _OWN}
    if frame.run.learns_ranks:
        ranks.of_pattern(frame, node, text, first)
    change = _Change.parse(text, axes, first.known_rank)
    if change is not None and "*" not in keywords:
        result.rank = len(change.right)
        if first.dims is not None and not first.unbacked:
            result.dims = change.apply(frame, node, short, first.dims)
    return result


def _dtype(tensor: Tensor, reduction: Value | None) -> Hashable:
    short = _text(reduction)
    if reduction is None:
        return tensor.dtype
    return None if short is None else operator(short).result_dtype(tensor.dtype)


def _text(value: Value | None) -> str | None:
    return str(value.value) if type(value) is Const and isinstance(value.value, str) else None


@dataclass(frozen=True, slots=True)
class _Change:
    """A pattern of which the ellipsis has been written out. `given` are the axes whose sizes are."""

    left: Groups
    right: Groups
    given: dict[str, Value]

    @classmethod
    def parse(cls, pattern: str, axes: dict[str, Value], rank: int | None) -> _Change | None:
        """None where the pattern does not fit the tensor, or it is not known how many dimensions its ellipsis stands for."""
        both = sides(pattern)
        if both is None:
            return None
        left, right = both
        if [ELLIPSIS] in left and rank is not None:
            dots = [f"{ELLIPSIS}{number}" for number in range(rank - len(left) + 1)]
            left, right = written_out(left, dots), written_out(right, dots)
        if [ELLIPSIS] in left or rank not in (None, len(left)):
            return None
        numbers = {axis: Static("int", int(axis)) for group in (*left, *right) for axis in group if axis.isdigit()}
        return cls(left, right, {**numbers, **axes})

    def apply(self, frame: Frame, node: ast.AST, short: str, dims: Dims) -> Dims:
        """The sizes of the result; what the two reshapes demand is emitted."""
        sizes = dict(self.given)
        for group, dim in zip(self.left, dims, strict=True):
            left = [axis for axis in group if axis not in self.given]
            if left:
                sizes[left[0]] = _quotient(dim, [self.given[axis] for axis in group if axis in self.given])
                sizes.update(dict.fromkeys(left[1:], STATIC_INT))
        names = [axis for group in self.left for axis in group]
        if any(len(group) != 1 for group in self.left):
            dims = _viewed(frame, node, short, dims, [sizes[axis] for axis in names])
        there = dict(zip(names, dims, strict=True))
        after = [there.get(axis) or sizes.get(axis, STATIC_INT) for group in self.right for axis in group]
        if all(len(group) == 1 for group in self.right):
            return tuple(after)
        made = [_product([sizes.get(axis, STATIC_INT) for axis in group]) for group in self.right]
        return _viewed(frame, node, short, tuple(after), made)


def _viewed(frame: Frame, node: ast.AST, short: str, dims: Dims, sizes: list[Value]) -> Dims:
    """The sizes behind a reshape; what is left behind another size is asked as whatever is left."""
    left = [at for at, size in enumerate(sizes) if (term := term_of(size)) is not None and term.has_ratio]
    check_view(frame, node, short, dims, [_REST if left == [at] else size for at, size in enumerate(sizes)])
    result = sizes_of_view(dims, tuple(sizes), frame.run.dynamic.sizes)
    check_computed(frame, node, "view", Tensor(dims=result), [Tensor(dims=dims)])
    return result


def _quotient(size: Value, by: list[Value]) -> Value:
    """What is left of a size for the one axis of a group that none is given of."""
    whole, part = term_of(size), elements(by)
    if not by:
        return size
    if whole is None or part is None or part.value == 0:
        return unknown(size)
    return of_term(whole.ratio(part), size)


def _product(sizes: list[Value]) -> Value:
    """The size of a group."""
    if len(sizes) == 1:
        return sizes[0]
    total = elements(sizes)
    symbol = next((size for size in sizes if type(size) is Sym), None)
    return of_term(total, symbol) if symbol is not None or total is not None else STATIC_INT


@models(*_named("einsum"))
def _einsum(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`einsum(*tensors, pattern)`: `torch.einsum`, with names for letters."""
    pattern = _text(args[-1] if args else None)
    if pattern is None or keywords:
        return call_unmodelled(frame, node, name, args, keywords)
    letters = iter(string.ascii_letters)
    names = {word: next(letters, "") for word in dict.fromkeys(re.findall(r"\w+", pattern))}
    equation = re.sub(r"\w+", lambda found: names[found[0]], pattern).replace(" ", "")
    return call(frame, node, External("torch.einsum"), [Const(equation), *args[:-1]], {})


@models(*_named("pack"))
def _pack(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`pack(tensors, pattern)`: the dimensions at the star become one, along which the tensors are joined; and what they were."""
    every = args[0].items if args and type(args[0]) is Sequence else None
    place = _starred(args[1] if len(args) > 1 else keywords.get("pattern"))
    inputs = tensors(args[0].any()) if args and type(args[0]) is Sequence else []
    packed = fresh_like(inputs[0]) if inputs else TOP
    parts = [item for item in every or () if type(item) is Tensor and item.dims is not None and not item.unbacked]
    if place is None or not parts or len(parts) != len(every or ()):
        return Sequence("tuple", [packed, STATIC])
    front, back = place
    shapes: list[Value] = []
    joined: list[Value] = []
    for part in parts:
        dims = part.dims or ()
        end = len(dims) - back
        if end < front:
            return Sequence("tuple", [packed, STATIC])
        middle = [*dims[front:end]]
        sizes = (*dims[:front], _product(middle), *dims[end:])
        check_view(frame, node, "pack", dims, [*sizes])
        shapes.append(Sequence("tuple", middle))
        joined.append(part.changed(dims=sizes, rank=len(sizes)))
    packed = call(frame, node, External("torch.cat"), [Sequence("list", joined), Const(front)], {})
    return Sequence("tuple", [packed, Sequence("list", shapes)])


@models(*_named("unpack"))
def _unpack(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`unpack(tensor, packed_shapes, pattern)`."""
    inputs = tensors(args[0]) if args else []
    if not inputs:
        return TOP
    first, shapes = inputs[0], args[1] if len(args) > 1 else keywords.get("packed_shapes")
    place = _starred(args[2] if len(args) > 2 else keywords.get("pattern"))
    part = fresh_like(first, alias=True, origin=first.origin, dtype=first.dtype)
    known = shapes.items if type(shapes) is Sequence else None
    if known is None or place is None:
        return Sequence("list", None, part)
    found: list[Value] = []
    for shape in known:
        middle = shape.items if type(shape) is Sequence else None
        dims = None
        if middle is not None and first.dims is not None and len(first.dims) == sum(place) + 1 and not first.unbacked:
            dims = (*first.dims[: place[0]], *middle, *first.dims[place[0] + 1 :])
        found.append(part.changed(dims=dims, rank=None if dims is None else len(dims)))
    return Sequence("list", found)


def _starred(pattern: Value | None) -> tuple[int, int] | None:
    """How many axes stand before the star of a pattern, and how many behind it."""
    words = (_text(pattern) or "").split()
    return (words.index("*"), len(words) - words.index("*") - 1) if words.count("*") == 1 else None


@models(*_named("parse_shape"))
def _parsed(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`parse_shape(tensor, pattern)`: the sizes by the names of a pattern."""
    inputs, text = tensors(args[0]) if args else [], _text(args[1] if len(args) > 1 else keywords.get("pattern"))
    if not inputs or text is None or not text.replace("_", "").replace(" ", "").isalnum():
        return TOP
    sizes = [(word, dimension(frame, inputs[0], at)) for at, word in enumerate(text.split())]
    return Mapping({word: size for word, size in sizes if word != "_"})


@models(*_LAYERS)
def _layer(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`Rearrange(pattern, **axes)`, `Reduce(pattern, reduction, **axes)`."""
    layer = Instance(None, name, identity=(name, id(node)), state=True)
    layer.given = {**dict(enumerate(args)), **keywords}
    return layer


def is_einops_layer(module: Instance) -> bool:
    """Whether it is a layer of einops that has no weights."""
    return module.external in _LAYERS


def call_einops_layer(frame: Frame, node: ast.AST, module: Instance, args: list[Value]) -> Value:
    """A call of a layer of einops: what its function does to the input."""
    own = [value for name, value in module.given.items() if isinstance(name, int)]
    axes = {name: value for name, value in module.given.items() if isinstance(name, str)}
    return _function(frame, node, _LAYERS[module.external], [*args[:1], *own], axes)


@models(*_named("asnumpy"))
def _asnumpy(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    inputs = tensors(args[0]) if args else []
    return fresh_like(inputs[0]) if inputs else TOP
