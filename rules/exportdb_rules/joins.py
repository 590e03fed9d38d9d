"""Containers, and the join of values: what the interpreter knows where two paths meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules.values import ANYWHERE, UNKNOWN, Const, OneOf, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable


# A list that grows beyond so many elements is known by what covers them all.
MOST_ADDED: Final = 64


class Sequence(Value):
    """A list, tuple, set, generator, range or iterator.

    `items` are the elements where their number and order are known, else None; `element` covers every element
    (None: there was none yet). `depth` is the control-flow depth at which it was made: an append deeper than that
    may happen any number of times, and makes `items` unknown. `length` is the number of elements where it is a
    value of its own (a SymInt, say). `prefix` are the first elements where the others are not known one by one: what a
    function returns is often a tuple that options make longer. `owner` is the module attribute that holds it.
    """

    __slots__ = ("depth", "element", "items", "length", "owner", "prefix", "type")

    def __init__(
        self,
        type: str,
        items: list[Value] | None = None,
        element: Value | None = None,
        *,
        depth: int = 0,
        length: Value | None = None,
        owner: str | None = None,
        prefix: list[Value] | None = None,
    ) -> None:
        self.type = type
        self.prefix = prefix
        self.items = items
        self.element = element
        self.depth = depth
        self.length = length
        self.owner = owner

    def any(self) -> Value:
        """A value that covers every element; UNKNOWN if nothing is known of them."""
        if self.items is not None:
            return join_all(self.items) if self.items else UNKNOWN
        return UNKNOWN if self.element is None else self.element

    def add(self, value: Value, depth: int) -> None:
        """One more element at the end, seen at the control-flow depth given."""
        if self.items is not None:
            if depth <= self.depth and len(self.items) < MOST_ADDED:
                self.items.append(value)
                return
            self.element = join_all([*self.items, value])
            self.prefix = self.items if depth <= self.depth or self.type == "tuple" else None
            self.items = None
        else:
            self.element = value if self.element is None else join(self.element, value)

    def blur(self, value: Value) -> None:
        """Somebody may have put `value` in, or anything out."""
        if self.items is not None:
            self.element = join_all([*self.items, value])
            self.items = None
        else:
            self.element = value if self.element is None else join(self.element, value)
        self.prefix = None

    def head(self) -> list[Value]:
        """The elements known one by one, from the first on."""
        return self.items if self.items is not None else (self.prefix or [])

    def key(self) -> Hashable:
        if self.items is not None:
            return ("L", self.type, tuple([_shallow(v) for v in self.items]), self.owner)
        head = tuple([_shallow(v) for v in self.prefix]) if self.prefix else ()
        return ("L", self.type, None if self.element is None else _shallow(self.element), self.owner, head)

    def __repr__(self) -> str:
        return f"{self.type} of {self.any()!r}"


class Mapping(Value):
    """A dict. `items` are the entries with known constant keys; `element` covers all the others."""

    __slots__ = ("element", "items", "owner")

    def __init__(
        self, items: dict[Any, Value] | None = None, element: Value | None = None, *, owner: str | None = None
    ) -> None:
        self.items = {} if items is None else items
        self.element = element
        self.owner = owner

    def any(self) -> Value:
        """A value that covers every entry's value."""
        values = list(self.items.values())
        if self.element is not None:
            values.append(self.element)
        return join_all(values) if values else UNKNOWN

    def key(self) -> Hashable:
        entries = tuple([(str(k), _shallow(v)) for k, v in self.items.items()])
        return ("D", entries, None if self.element is None else _shallow(self.element), self.owner)

    def __repr__(self) -> str:
        return f"dict of {self.any()!r}"


MOST_CHOICES: Final = 6


def _shallow(value: Value) -> Hashable:
    """The key of an element: containers inside containers are told apart by kind only, which bounds recursion."""
    if isinstance(value, (Sequence, Mapping)):
        element = value.any()
        return (type(value).__name__, "…" if isinstance(element, (Sequence, Mapping)) else element.key())
    return value.key()


def choices(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value: itself, or those of a OneOf."""
    return value.choices if type(value) is OneOf else (value,)


def join(a: Value, b: Value) -> Value:
    """The least value of the domain that covers both."""
    if a is b:
        return a
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    kind = type(a)
    if kind is type(b):
        if kind is Tensor:
            return _join_tensors(a, b)  # type: ignore[arg-type]
        if kind is OneOf:
            return join_all([*a.choices, *b.choices])  # type: ignore[attr-defined]
        if kind is Const:
            x = cast("object", a.value)  # type: ignore[attr-defined]
            y = cast("object", b.value)  # type: ignore[attr-defined]
            if type(x) is type(y):
                if x == y:
                    return a
                # A choice between a few strings or flags often decides a path later; numbers seldom do.
                if type(x) in (bool, int, float):
                    return Static(type(x).__name__)
        elif kind is Sym:
            return _join_syms(a, b)  # type: ignore[arg-type]
        elif kind is Sequence and a.type == b.type:  # type: ignore[attr-defined]
            return _join_sequences(a, b)  # type: ignore[arg-type]
        elif kind is Mapping:
            return _join_mappings(a, b)  # type: ignore[arg-type]
        elif a.key() == b.key():
            return a
    return _collect([*choices(a), *choices(b)])


def join_all(values: Iterable[Value]) -> Value:
    """The join of several values; UNKNOWN for none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result


def _collect(values: list[Value]) -> Value:
    result: list[Value] = []
    for value in values:
        if value is UNKNOWN:
            return UNKNOWN
        for i, other in enumerate(result):
            if type(other) is type(value) and (merged := _merge_same(other, value)) is not None:
                result[i] = merged
                break
            if type(other) is Static and type(value) is Const and _covers(other, value):
                break
            if type(value) is Static and type(other) is Const and _covers(value, other):
                result[i] = value
                break
        else:
            result.append(value)
    if len(result) == 1:
        return result[0]
    return UNKNOWN if len(result) > MOST_CHOICES else OneOf(tuple(result))


def _covers(static: Static, const: Const) -> bool:
    return const.value is not None and static.type in ("", type(const.value).__name__)


def _merge_same(a: Value, b: Value) -> Value | None:
    """The join of two values of one class where it is not a choice."""
    if a.key() == b.key():
        return a
    kind = type(a)
    if kind is Tensor:
        return _join_tensors(a, b)  # type: ignore[arg-type]
    if kind is Sym and a.type == b.type:  # type: ignore[attr-defined]
        return _join_syms(a, b)  # type: ignore[arg-type]
    if kind is Const and type(a.value) is type(b.value) and type(a.value) in (bool, int, float):  # type: ignore[attr-defined]
        return Static(type(a.value).__name__)  # type: ignore[attr-defined]
    if kind is Sequence and a.type == b.type:  # type: ignore[attr-defined]
        return _join_sequences(a, b)  # type: ignore[arg-type]
    return _join_mappings(a, b) if kind is Mapping else None  # type: ignore[arg-type]


def _join_tensors(a: Tensor, b: Tensor) -> Tensor:
    if a.key() == b.key() and a.shape == b.shape:
        return a
    dims: tuple[Value, ...] | None = None
    if a.dims is not None and b.dims is not None and len(a.dims) == len(b.dims):
        dims = tuple([join(x, y) for x, y in zip(a.dims, b.dims, strict=True)])
    return Tensor(
        a.origin if a.origin == b.origin else ANYWHERE,
        alias=a.alias or b.alias,
        dtype=a.dtype if a.dtype == b.dtype else None,
        shape=a.shape if a.shape == b.shape else None,
        rank=a.rank if a.rank == b.rank else None,
        dims=dims,
        unbacked=a.unbacked or b.unbacked,
        constant=a.constant and b.constant,
        fixed=a.fixed and b.fixed,
        first=a.first and b.first,
        permuted=max(a.permuted, b.permuted),
        random=a.random and b.random,
        site=a.site or b.site,
        sure=min(a.sure, b.sure),
        param=a.param if a.param == b.param else None,
    )


def _join_syms(a: Sym, b: Sym) -> Value:
    if a.key() == b.key():
        return a
    if a.type != b.type:
        return OneOf((a, b))
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return Sym(
        a.type,
        backed=a.backed and b.backed,
        site=a.site or b.site,
        low=low,
        high=high,
        size=a.size and b.size,
        sure=min(a.sure, b.sure),
        dim=a.dim if a.dim == b.dim else None,
    )


def _join_sequences(a: Sequence, b: Sequence) -> Sequence:
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = [join(x, y) for x, y in zip(a.items, b.items, strict=True)]
        if all(x is y for x, y in zip(items, a.items, strict=True)):
            return a
        return Sequence(a.type, items, depth=a.depth, owner=a.owner or b.owner)
    known = [s.any() for s in (a, b) if s.items or s.element is not None]
    length = a.length if a.length is b.length else None
    element = join_all(known) if known else None
    prefix = [join(x, y) for x, y in zip(a.head(), b.head(), strict=False)]
    return Sequence(
        a.type, None, element, depth=a.depth, length=length, owner=a.owner or b.owner, prefix=prefix or None
    )


def _join_mappings(a: Mapping, b: Mapping) -> Mapping:
    items = {k: join(v, b.items[k]) if k in b.items else v for k, v in a.items.items()}
    items.update({k: v for k, v in b.items.items() if k not in items})
    if a.element is None or b.element is None:
        element = a.element or b.element
    else:
        element = join(a.element, b.element)
    return Mapping(items, element, owner=a.owner or b.owner)


def without_none(value: Value) -> Value:
    """What is left of a value once it is known not to be None."""
    if type(value) is not OneOf:
        return value
    return _collect([c for c in value.choices if not (type(c) is Const and c.value is None)])


def only(value: Value, wanted: Callable[[Value], bool]) -> Value:
    """The choices of a value that satisfy a condition; UNKNOWN stays, and so does a value with no such choice."""
    if type(value) is not OneOf:
        return value
    kept = [c for c in value.choices if wanted(c)]
    return _collect(kept) if kept else value


def may_be_none(value: Value) -> bool:
    """Whether None is among the alternatives (an unknown value may always be None)."""
    return any(c is UNKNOWN or (type(c) is Const and c.value is None) for c in choices(value))


def is_none(value: Value) -> bool:
    """Whether the value is None for certain."""
    return type(value) is Const and value.value is None


def tensors(value: Value) -> list[Tensor]:
    """The tensors among the alternatives of a value (not those inside a container)."""
    return [c for c in choices(value) if type(c) is Tensor]


def unbacked(value: Value) -> list[Sym]:
    """The unbacked symbols among the alternatives of a value."""
    return [c for c in choices(value) if type(c) is Sym and not c.backed]
