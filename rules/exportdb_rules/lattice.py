"""Containers, and the join of values: what the interpreter knows where two paths meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from exportdb_rules.values import (
    ANYWHERE,
    KEY_LEVELS,
    TOP,
    Const,
    Evidence,
    Method,
    Partial,
    Shape,
    Static,
    Sym,
    Tensor,
    Union,
    Value,
    is_returned,
    is_unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable


# A list that grows beyond so many elements is known by what covers them all.
MAX_ADDED: Final = 64
# What is put into a container may hold containers in turn, so many levels deep and so many values in all, each counted
# as often as it is held. Of what is larger only its kind is known: a value that is put into itself twice, again and
# again, grows twofold with each line of the program, and so would all that looks at it.
MAX_LEVELS: Final = 6
MAX_HELD: Final = 1000
# Pairs of containers that one join compares; of what is left after that nothing is known.
MAX_PAIRS: Final = 1000


@dataclass(frozen=True, slots=True)
class Owner:
    """What holds a list, a dict or a set that outlives the call: an attribute of a module or of a class, a name of the file, or the
    caller, who gives it as an input. `name` is that of the attribute, of the file, or of the parameter."""

    kind: Literal["attribute", "global", "input"]
    name: str


class Sequence(Value):
    """A list, tuple, set, generator, range or iterator.

    `items` are the elements where their number and order are known, else None; `element` covers every element
    (None: there was none yet). `depth` is the control-flow depth at which it was made: an append deeper than that
    may happen any number of times, and makes `items` unknown. `length` is the number of elements where it is a
    value of its own (a SymInt, say). `prefix` are the first elements where the others are not known one by one: what a
    function returns is often a tuple that options make longer. `owner` is what holds it beyond the call. `count`: as
    `length`, of a number that tracing has asked for already.
    """

    __slots__ = ("count", "depth", "element", "items", "length", "owner", "prefix", "type")

    def __init__(
        self,
        type: str,
        items: list[Value] | None = None,
        element: Value | None = None,
        *,
        depth: int = 0,
        length: Value | None = None,
        owner: Owner | None = None,
        prefix: list[Value] | None = None,
        count: Value | None = None,
    ) -> None:
        self.type = type
        self.count = count
        self.prefix = None if prefix is None else _all_limited(prefix)
        self.items = None if items is None else _all_limited(items)
        self.element = None if element is None else limited(element)
        self.depth = depth
        self.length = length
        self.owner = owner

    def any(self, joining: _Joining | None = None) -> Value:
        """A value that covers every element; UNKNOWN if nothing is known of them."""
        if self.items is not None:
            return join_all(self.items, joining or _Joining()) if self.items else TOP
        return TOP if self.element is None else self.element

    def add(self, value: Value, depth: int) -> None:
        """One more element at the end, seen at the control-flow depth given."""
        value = limited(value)
        if self.items is not None:
            if depth <= self.depth and len(self.items) < MAX_ADDED:
                self.items.append(value)
                return
            self.element = join_all([*self.items, value])
            self.prefix = self.items if depth <= self.depth or self.type == "tuple" else None
            self.items = None
        else:
            self.element = value if self.element is None else join(self.element, value)

    def widen(self, value: Value) -> None:
        """Somebody may have put `value` in, or anything out."""
        value = limited(value)
        if self.items is not None:
            self.element = join_all([*self.items, value])
            self.items = None
        else:
            self.element = value if self.element is None else join(self.element, value)
        self.prefix = None

    def replace(self, items: list[Value]) -> None:
        """Have other `items`."""
        self.items = _all_limited(items)

    def put(self, index: int, value: Value) -> None:
        """Replace one of the `items`."""
        assert self.items is not None
        self.items[index] = limited(value)

    def head(self) -> list[Value]:
        """The elements known one by one, from the first on."""
        return self.items if self.items is not None else (self.prefix or [])

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        if levels < KEY_LEVELS:
            return _covering_key(self, levels)
        below = levels - 1
        if self.items is not None:
            return ("L", self.type, tuple([v.key(below) for v in self.items]), self.owner)
        head = tuple([v.key(below) for v in self.prefix]) if self.prefix else ()
        return ("L", self.type, None if self.element is None else self.element.key(below), self.owner, head)

    def __repr__(self) -> str:
        return f"{self.type} of {self.any()!r}"


class Mapping(Value):
    """A dict. `items` are the entries with known constant keys; `element` covers all the others."""

    __slots__ = ("element", "items", "owner")

    def __init__(
        self, items: dict[Any, Value] | None = None, element: Value | None = None, *, owner: Owner | None = None
    ) -> None:
        self.items: dict[Any, Value] = {}
        for name, value in ({} if items is None else items).items():
            self.items[name] = limited(value)
        self.element = None if element is None else limited(element)
        self.owner = owner

    def put(self, name: object, value: Value) -> None:
        """Bind an entry of a known name."""
        self.items[name] = limited(value)

    def cover(self, value: Value) -> None:
        """Somebody may have bound any other entry to `value`."""
        self.element = limited(value if self.element is None else join(self.element, value))

    def take(self, other: Mapping) -> None:
        """Bind the entries of another one: `update`, `**`."""
        self.items.update(other.items)
        if other.element is not None:
            self.cover(other.element)

    def held(self) -> list[Value]:
        """The values of the entries."""
        return [*self.items.values(), *(() if self.element is None else (self.element,))]

    def any(self) -> Value:
        """A value that covers every entry's value."""
        values = self.held()
        return join_all(values, _Joining()) if values else TOP

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        if levels < KEY_LEVELS:
            return _covering_key(self, levels)
        below = levels - 1
        entries = tuple([(str(k), v.key(below)) for k, v in self.items.items()])
        return ("D", entries, None if self.element is None else self.element.key(below), self.owner)

    def __repr__(self) -> str:
        return f"dict of {self.any()!r}"


def copied(value: Value, memo: dict[int, Value] | None = None) -> Value:
    """A container like another one, of containers like those in it: what is put into it is in no other. What is no container
    stays what it is."""
    if not isinstance(value, (Sequence, Mapping)):
        return value
    memo = {} if memo is None else memo
    found = memo.get(id(value))
    if found is not None:
        return found
    if isinstance(value, Sequence):
        result = memo[id(value)] = Sequence(
            value.type, depth=value.depth, length=value.length, owner=value.owner, count=value.count
        )
        result.items = None if value.items is None else _all_copied(value.items, memo)
        result.prefix = None if value.prefix is None else _all_copied(value.prefix, memo)
    else:
        result = memo[id(value)] = Mapping(owner=value.owner)
        result.items = dict(zip(value.items, _all_copied([*value.items.values()], memo), strict=True))
    result.element = None if value.element is None else copied(value.element, memo)
    return result


def given_by_caller(value: Value, parameter: str) -> Value:
    """The value of an input, in which the lists and dicts are the caller's."""
    if type(value) is Union:
        return Union(tuple([given_by_caller(choice, parameter) for choice in value.choices]))
    result = copied(value)
    waiting, seen = [result], set[int]()
    while waiting:
        part = waiting.pop()
        if isinstance(part, (Sequence, Mapping)) and id(part) not in seen:
            seen.add(id(part))
            part.owner = Owner("input", parameter)
            waiting += contained(part)
    return result


def _all_copied(values: list[Value], memo: dict[int, Value]) -> list[Value]:
    return [*values] if _HOLDING.isdisjoint(map(type, values)) else [copied(value, memo) for value in values]


# What may hold other values, and is not told apart from others by where it was made.
_HOLDING: Final = frozenset({Sequence, Mapping, Union, Partial, Method})


def is_plain(value: Value) -> bool:
    """Whether a value, and all that is in it, was fixed before tracing."""
    if type(value) is Sequence:
        held = value.items if value.items is not None else [TOP if value.element is None else value.element]
        return all(map(is_plain, held))
    if type(value) is Union:
        return all(map(is_plain, value.choices))
    return type(value) in (Const, Static)


def limited(value: Value) -> Value:
    """A value as a container holds it: itself, or no more than its kind where it holds too much."""
    return _kind_of(value) if type(value) in _HOLDING and _holds_too_much(value) else value


def _all_limited(values: list[Value]) -> list[Value]:
    """The elements of a container as it holds them: the same list where none holds too much."""
    if _HOLDING.isdisjoint(map(type, values)):
        return values
    known: dict[int, Value] = {}
    for value in values:
        if type(value) in _HOLDING and id(value) not in known:
            known[id(value)] = limited(value)
    if all(id(kept) == key for key, kept in known.items()):
        return values
    return [known.get(id(value), value) for value in values]


def contained(value: Value) -> list[Value]:
    """What a list, tuple or dict holds; nothing of any other value."""
    if type(value) is Sequence:
        return [*(value.items or ()), *([] if value.element is None else [value.element])]
    if type(value) is Mapping:
        return [*value.items.values(), *([] if value.element is None else [value.element])]
    return []


def held(value: Value) -> Collection[Value]:
    """What a value holds."""
    if isinstance(value, Sequence):
        if value.items is not None and value.prefix is None and value.element is None:
            return value.items
        return [*(value.items or ()), *(value.prefix or ()), *(() if value.element is None else (value.element,))]
    if isinstance(value, Mapping):
        return value.held()
    if type(value) is Union:
        return value.choices
    if type(value) is Partial:
        return [value.callee, *value.args, *value.keywords.values()]
    return (value.receiver,) if type(value) is Method else ()


def _holds_too_much(value: Value) -> bool:
    if _HOLDING.isdisjoint(map(type, parts := held(value))):
        return len(parts) > MAX_HELD
    waiting = [(value, 0)]
    count = 0
    while waiting:
        here, level = waiting.pop()
        parts = held(here)
        count += len(parts)
        for inner in () if _HOLDING.isdisjoint(map(type, parts)) else parts:
            if type(inner) in _HOLDING:
                # The choices of a Union stand at its own level.
                below = level + (type(inner) is not Union)
                if below >= MAX_LEVELS:
                    return True
                waiting.append((inner, below))
        if count > MAX_HELD:
            return True
    return False


def _kind_of(value: Value) -> Value:
    """What is left of a value of which only the kind is known."""
    if isinstance(value, Sequence):
        return Sequence(value.type, None, TOP, depth=value.depth, owner=value.owner)
    if isinstance(value, Mapping):
        return Mapping({}, TOP, owner=value.owner)
    return _collect([_kind_of(c) if type(c) in _HOLDING else c for c in value.choices]) if type(value) is Union else TOP


MAX_CHOICES: Final = 6


def _covering_key(container: Sequence | Mapping, levels: int) -> Hashable:
    """The key of a container inside another one: its kind, and what covers its elements."""
    kind = type(container).__name__
    if not levels:
        return kind
    element = container.any()
    return (kind, "…" if isinstance(element, (Sequence, Mapping)) else element.key(levels - 1))


def choices(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value: itself, or those of a Union."""
    return value.choices if type(value) is Union else (value,)


class _Joining:
    """One join of containers on its way through them: the pairs that were met already, and how many more may be."""

    __slots__ = ("left", "pairs")

    def __init__(self) -> None:
        self.left = MAX_PAIRS
        # The values are kept too: an id is only good for as long as its object lives.
        self.pairs: dict[tuple[int, int], tuple[Value, Value, Value]] = {}

    def containers(self, a: Value, b: Value) -> Value:
        """The join of two containers of one kind."""
        known = self.pairs.get((id(a), id(b)))
        if known is not None:
            return known[2]
        self.left -= 1
        if self.left < 0:
            return TOP
        self.pairs[id(a), id(b)] = (a, b, TOP)  # a container that holds itself finds this
        if isinstance(a, Sequence):
            result = _join_sequences(a, b, self)  # type: ignore[arg-type]
        else:
            result = _join_mappings(a, b, self)  # type: ignore[arg-type]
        self.pairs[id(a), id(b)] = (a, b, result)
        return result


def join(a: Value, b: Value, joining: _Joining | None = None) -> Value:
    """The least value of the domain that covers both, as far as containers are looked into; `joining` is for joins
    within joins."""
    if a is b:
        return a
    if a is TOP or b is TOP:
        return TOP
    kind = type(a)
    if kind is type(b):
        if kind is Tensor:
            return _join_tensors(a, b)  # type: ignore[arg-type]
        if kind is Union:
            return join_all([*a.choices, *b.choices], joining)  # type: ignore[attr-defined]
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
        elif (kind is Sequence and a.type == b.type) or kind is Mapping:  # type: ignore[attr-defined]
            return (joining or _Joining()).containers(a, b)
        elif a.key() == b.key():
            return a
    return _collect([*choices(a), *choices(b)], joining)


def join_all(values: Iterable[Value], joining: _Joining | None = None) -> Value:
    """The join of several values; UNKNOWN for none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value, joining)
        if result is TOP:
            break  # it covers whatever comes
    return TOP if result is None else result


def _collect(values: list[Value], joining: _Joining | None = None) -> Value:
    joining = joining or _Joining()
    result: list[Value] = []
    for value in values:
        if value is TOP:
            return TOP
        for i, other in enumerate(result):
            if type(other) is type(value) and (merged := _merge_same(other, value, joining)) is not None:
                result[i] = merged
                break
            if type(other) is Static and type(value) is Const and _covers(other, value):
                result[i] = other if _is_plain(other) else Static(other.type)
                break
            if type(value) is Static and type(other) is Const and _covers(value, other):
                result[i] = value if _is_plain(value) else Static(value.type)
                break
        else:
            result.append(value)
    if len(result) == 1:
        return result[0]
    if len(result) > MAX_CHOICES or (
        any(map(is_returned, result)) and not all(type(c) is Tensor or is_none(c) for c in result)
    ):
        return TOP  # of what code returned that is not analyzed, no more is known than of the others
    return Union(tuple(result))


def _is_plain(static: Static) -> bool:
    """Whether of a static value no more is known than its type."""
    return static.number is None and static.name is None and static.default is None


def _covers(static: Static, const: Const) -> bool:
    return const.value is not None and static.type in ("", type(const.value).__name__)


def _merge_same(a: Value, b: Value, joining: _Joining) -> Value | None:
    """The join of two values of one class where it is not a choice."""
    kind = type(a)
    if a is b or (kind is not Tensor and a.key() == b.key()):
        return a
    if kind is Static and a.type == b.type:  # type: ignore[attr-defined]
        return Static(a.type)  # type: ignore[attr-defined]
    if kind is Tensor:
        return _join_tensors(a, b)  # type: ignore[arg-type]
    if kind is Sym and a.type == b.type:  # type: ignore[attr-defined]
        return _join_syms(a, b)  # type: ignore[arg-type]
    if kind is Const and type(a.value) is type(b.value) and type(a.value) in (bool, int, float):  # type: ignore[attr-defined]
        return Static(type(a.value).__name__)  # type: ignore[attr-defined]
    if kind is Sequence and a.type == b.type:  # type: ignore[attr-defined]
        return joining.containers(a, b)
    return joining.containers(a, b) if kind is Mapping else None


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
        sized=(a.sized or a.fixed) and (b.sized or b.fixed),
        axis=a.axis if a.axis == b.axis else None,
        some=a.some and b.some,
        moves=max(a.moves, b.moves),
        random=a.random and b.random,
        array=a.array or b.array,
        kept=a.kept or b.kept,
        readable=a.readable and b.readable,
        requires_grad=a.requires_grad and b.requires_grad,
        place=a.place and b.place,
        site=a.site or b.site,
        evidence=min(a.evidence, b.evidence, Evidence.OBSERVED if a.unbacked is b.unbacked else Evidence.DERIVED),
        param=a.param if a.param == b.param else None,
    )


def _join_syms(a: Sym, b: Sym) -> Value:
    if a.key() == b.key():
        return a
    if a.type != b.type:
        return Union((a, b))
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return Sym(
        a.type,
        backed=a.backed and b.backed,
        site=a.site or b.site,
        low=low,
        high=high,
        size=a.size and b.size,
        evidence=min(a.evidence, b.evidence, Evidence.OBSERVED if a.backed is b.backed else Evidence.DERIVED),
        dim=a.dim if a.dim == b.dim else None,
        term=a.term if a.term == b.term else None,
        asked=a.asked if a.asked == b.asked else None,
        then=a.then if a.asked == b.asked and a.then is b.then else None,
    )


def _join_sequences(a: Sequence, b: Sequence, joining: _Joining) -> Sequence:
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        if a.items.count(TOP) == len(a.items):
            return a  # it covers whatever comes
        items = [join(x, y, joining) for x, y in zip(a.items, b.items, strict=True)]
        if all(x is y for x, y in zip(items, a.items, strict=True)):
            return a
        return Sequence(a.type, items, depth=a.depth, owner=a.owner or b.owner)
    known = [s.any(joining) for s in (a, b) if s.items or s.element is not None]
    length = a.length if a.length is b.length else None
    element = join_all(known, joining) if known else None
    prefix = [join(x, y, joining) for x, y in zip(a.head(), b.head(), strict=False)]
    return Sequence(
        a.type, None, element, depth=a.depth, length=length, owner=a.owner or b.owner, prefix=prefix or None
    )


def _join_mappings(a: Mapping, b: Mapping, joining: _Joining) -> Mapping:
    items = {k: join(v, b.items[k], joining) if k in b.items else v for k, v in a.items.items()}
    items.update({k: v for k, v in b.items.items() if k not in items})
    if a.element is None or b.element is None:
        element = a.element or b.element
    else:
        element = join(a.element, b.element, joining)
    return Mapping(items, element, owner=a.owner or b.owner)


def without_none(value: Value) -> Value:
    """What is left of a value once it is known not to be None."""
    if type(value) is not Union:
        return value
    return _collect([c for c in value.choices if not (type(c) is Const and c.value is None)])


def only(value: Value, wanted: Callable[[Value], bool]) -> Value:
    """The choices of a value that satisfy a condition; UNKNOWN stays, and so does a value with no such choice."""
    if type(value) is not Union:
        return value
    kept = [c for c in value.choices if wanted(c)]
    return _collect(kept) if kept else value


def may_be_none(value: Value) -> bool:
    """Whether None is among the alternatives (an unknown value may always be None)."""
    return any(is_unknown(c) or (type(c) is Const and c.value is None) for c in choices(value))


def known_elements(value: Value) -> list[Value] | None:
    """The elements of a tuple, a list or a shape, where each of them is known."""
    if type(value) is Shape:
        return None if value.tensor.dims is None else [*value.tensor.dims]
    return value.items if type(value) is Sequence else None


def is_none(value: Value) -> bool:
    """Whether the value is None for certain."""
    return type(value) is Const and value.value is None


def is_true(value: Value | None) -> bool:
    """Whether the value is True for certain."""
    return type(value) is Const and value.value is True


def one_of(container: Sequence | Mapping) -> Value:
    """Some element, nobody knows which. A tensor among elements of other kinds may be none of those that are asked for: code
    that looks through its own arguments knows which of them it takes."""
    value = container.any()
    kinds = {type(choice) for choice in choices(value) if not is_none(choice)}
    if len(kinds) == 1 or Tensor not in kinds:
        return value
    assumed = [c.changed(evidence=Evidence.ASSUMED) if type(c) is Tensor else c for c in choices(value)]
    return Union(tuple(assumed))


def tensors(value: Value) -> list[Tensor]:
    """The tensors among the alternatives of a value (not those inside a container)."""
    if type(value) is Union:
        return [c for c in value.choices if type(c) is Tensor]
    return [value] if type(value) is Tensor else []


def unbacked(value: Value) -> list[Sym]:
    """The unbacked symbols among the alternatives of a value."""
    return [c for c in choices(value) if type(c) is Sym and not c.backed]
