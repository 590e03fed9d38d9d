"""What the shape of a result is made of, where its sizes are not known: equal for two tensors that are made alike of alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from exportdb_rules.lattice import Sequence
from exportdb_rules.values import Const, External, Instance, Shape, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping


# A shape of more parts than this is not known: what is made of itself twice, again and again, would grow without end.
_MOST: Final = 64


def bounded(shape: Hashable) -> Hashable:
    """A shape, or None where it has too many parts to be worth telling apart."""
    return shape if _count(shape, _MOST) >= 0 else None


def _count(shape: object, left: int) -> int:
    """How many parts more a shape could have; negative where it has too many."""
    if isinstance(shape, (tuple, frozenset)):
        for part in cast("Iterable[object]", shape):
            if (left := _count(part, left)) < 0:
                break
        return left
    return left - 1


def shape_made(name: str, args: Iterable[Value], keywords: Mapping[str, Value]) -> Hashable:
    """The shape of what an operator makes that looks at sizes and numbers alone; None where an argument is not known."""
    parts = [*map(what_is, args), *map(what_is, keywords.values())]
    return None if None in parts else bounded(("made", name, *parts, *keywords))


def together(shapes: Iterable[Hashable]) -> Hashable:
    """The shape that several different ones are broadcast to."""
    parts: set[Hashable] = set()
    for shape in shapes:
        parts |= parts_of(shape)
    return None if None in parts else bounded(("broadcast", frozenset(parts)))


def parts_of(shape: Hashable) -> frozenset[Hashable]:
    """The shapes that are broadcast to one."""
    known = cast("object", shape)
    if isinstance(known, tuple):
        head, *rest = cast("tuple[Hashable, ...]", known)
        if head == "broadcast":
            return cast("frozenset[Hashable]", rest[0])
    return frozenset([shape])


def row_of(shape: Hashable) -> Hashable:
    """The shape of one row of a tensor, whichever it is."""
    return None if shape is None else bounded(("row", shape))


def renamed(shape: Hashable, names: Mapping[Hashable, Hashable]) -> Hashable:
    """A shape as it is called elsewhere; None where it is made of one that has no name there."""
    return bounded(_renamed(shape, names))


def _renamed(shape: Hashable, names: Mapping[Hashable, Hashable]) -> Hashable:
    if shape in names:
        return names[shape]
    if isinstance(shape, frozenset):
        found = [_renamed(part, names) for part in cast("frozenset[Hashable]", shape)]
        return None if None in found else frozenset(found)
    if not isinstance(shape, tuple):
        return shape
    parts = cast("tuple[Hashable, ...]", shape)
    if parts[:1] == ("arg",):
        return None
    found = [_renamed(part, names) for part in parts]
    return None if None in found else tuple(found)


def made_of(module: Instance) -> Hashable:
    """What a layer of torch's own was given: it makes the same sizes as another that was given that. None where it is not
    known."""
    if module.cls is not None:
        return None
    if type(module.elements) is Sequence:
        parts = [what_is(part) for part in module.elements.items or ()]
        return None if module.elements.items is None or None in parts else (module.external, *parts)
    given = [what_is(value) for value in module.given.values()]
    return None if None in given else (module.external, *module.given, *given)


def what_is(value: Value | None) -> Hashable:
    """What tells an argument from others as far as sizes go; None where it is not known."""
    if type(value) is Tensor:
        return None if value.unbacked or value.shape is None else ("tensor", value.shape)
    if type(value) is Const:
        return value.value if type(value.value) is int else repr(value.value)
    if type(value) is Static:
        return value.name if value.number is None else value.number
    if type(value) is Sym:
        return value.term
    if type(value) is Shape:
        return what_is(value.tensor)
    if type(value) is External:
        return value.name
    if type(value) is Instance:
        return made_of(value)
    if type(value) is Sequence and value.items is not None:
        parts = [what_is(item) for item in value.items]
        return None if None in parts else tuple(parts)
    return None
