"""The abstract domain: what the interpreter knows of a Python value while export traces.

It follows the distinction that torch's own programming model makes (docs: "torch.export Programming Model", static
and dynamic values): what is fixed when tracing begins (`Const`, `Static`), what export keeps symbolic (`Tensor`,
`Sym`), and what is fixed by tracing although it differs from call to call (`TraceTime`). All values but the
containers and objects are immutable; those two are allocation sites, and grow monotonically.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Hashable, Iterable

    from exportdb_rules.project import ClassInfo, FunctionInfo, Module

# How sure the interpreter is that a value is what it says. BARE: an entry's parameter that convention alone takes
# for a tensor. DERIVED: computed from such a one by an operation that only tensors have. SEEN: known.
BARE: Final = 0
DERIVED: Final = 1
SEEN: Final = 2

# Where a tensor's storage comes from.
INPUT: Final = "input"
PARAMETER: Final = "parameter"
BUFFER: Final = "buffer"
ATTRIBUTE: Final = "attribute"
FRESH: Final = "fresh"
ANYWHERE: Final = "anywhere"
# While a branch of torch.cond is run: of a tensor that was there before the branch began.
OPERAND: Final = "operand"


# Moves of a tensor's dimensions are counted up to this: after two, they may lie in memory in any order.
MOST_MOVES: Final = 2


class Value:
    """Base of all abstract values."""

    __slots__ = ()

    def key(self) -> Hashable:
        """What tells two values apart where calls are memoised; equal keys mean interchangeable arguments."""
        return id(self)


class Unknown(Value):
    """Anything. No `certain` finding ever rests on it."""

    __slots__ = ()

    def key(self) -> Hashable:
        return "?"

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN: Final = Unknown()


class Const(Value):
    """A Python constant whose value is known (None, bool, int, float, str, bytes, Ellipsis)."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def key(self) -> Hashable:
        return ("c", type(self.value).__name__, self.value)

    def __repr__(self) -> str:
        return f"const {self.value!r}"


NONE: Final = Const(None)
TRUE: Final = Const(True)
FALSE: Final = Const(False)


class Static(Value):
    """Fixed before tracing (a configuration value), but not known. `type` is a Python type name or ''.

    A static value may also be any object of which nothing is known but that the constructor was given it.
    """

    __slots__ = ("type",)

    def __init__(self, type: str = "") -> None:
        self.type = type

    def key(self) -> Hashable:
        return ("s", self.type)

    def __repr__(self) -> str:
        return f"static {self.type or 'value'}"


STATIC: Final = Static()
STATIC_INT: Final = Static("int")
STATIC_FLOAT: Final = Static("float")
STATIC_BOOL: Final = Static("bool")
STATIC_STR: Final = Static("str")
# What a numpy function gives for plain numbers while tracing: strict export makes a tensor of it, of unknown data.
NUMPY: Final = Static("numpy")
# What a numpy function gave before tracing began: an attribute of the module, a name of the file. KEPT_NUMBER: a number.
KEPT: Final = Static("kept numpy")
KEPT_NUMBER: Final = Static("kept numpy number")


class TraceTime(Value):
    """Evaluated once, while tracing, though eager evaluates it on every call: id, time, random, a counter.

    `source` is the qualified name of what was called; `site` is where.
    """

    __slots__ = ("site", "source", "type")

    def __init__(self, source: str, type: str = "", site: Site | None = None) -> None:
        self.source = source
        self.type = type
        self.site = site

    def key(self) -> Hashable:
        return ("t", self.source, self.type)

    def __repr__(self) -> str:
        return f"trace-time {self.source}"


class Site:
    """A place in a program: the module and the node. Its position is worked out only when somebody asks."""

    __slots__ = ("module", "node")

    def __init__(self, module: Module, node: ast.AST) -> None:
        self.module = module
        self.node = node


class Sym(Value):
    """A SymInt, SymFloat or SymBool.

    `backed`: it comes from the shape of an input, so export has a hint for it and may guard on it. Unbacked: it
    comes from data (`.item()`, a size of `nonzero`) and export cannot guard on it. `low`, `high` bound an unbacked
    integer where that is known; `site` is where the unbacked value was made. `size`: it is a size of a tensor.
    `dim`: the named Dim that it is, equal for all sizes that were declared by one name.
    """

    __slots__ = ("backed", "dim", "high", "low", "site", "size", "sure", "type")

    def __init__(
        self,
        type: str = "int",
        *,
        backed: bool,
        site: Site | None = None,
        low: float | None = None,
        high: float | None = None,
        size: bool = False,
        sure: int = SEEN,
        dim: str | None = None,
    ) -> None:
        self.dim = dim
        self.type = type
        self.backed = backed
        self.site = site
        self.low = low
        self.high = high
        self.size = size
        self.sure = sure

    def key(self) -> Hashable:
        return ("y", self.type, self.backed, self.low, self.high, self.size, self.sure, self.dim)

    def __repr__(self) -> str:
        return f"{'backed' if self.backed else 'unbacked'} Sym{self.type.capitalize()}"


BACKED_INT: Final = Sym("int", backed=True, low=0, size=True)
BACKED_FLOAT: Final = Sym("float", backed=True)
BACKED_BOOL: Final = Sym("bool", backed=True)


class Tensor(Value):
    """A tensor that export traces.

    origin: whose storage it has (`input`, `parameter`, `buffer`, `attribute`, `fresh`, `anywhere`, `operand`).
    alias: True when it may share that storage (a view) or is the very object; False for a fresh result.
    dtype: a torch dtype name ('bool', 'int64', …), a token equal for tensors of equal dtype, or None.
    shape: a token equal for tensors of equal shape, or None. ('dims', ()) is the 0-dimensional shape.
    rank: number of dimensions, or None.
    unbacked: some size is data-dependent; `site` is where it became so; `first`: as far as is known, the first one.
    constant: built from Python constants while tracing, so that `.item()` gives a plain number.
    fixed: all its sizes are known before tracing (a parameter's, a buffer's), so none of them is ever symbolic.
    permuted: how often its dimensions were moved (a transpose), up to MOST_MOVES, since it was laid out anew.
    random: its numbers were drawn, or computed from drawn ones alone.
    sure: BARE, DERIVED or SEEN. param: the entry's parameter that a BARE tensor is.
    """

    __slots__ = (
        "alias",
        "constant",
        "dims",
        "dtype",
        "first",
        "fixed",
        "origin",
        "param",
        "permuted",
        "random",
        "rank",
        "shape",
        "site",
        "sure",
        "unbacked",
    )

    def __init__(
        self,
        origin: str = FRESH,
        *,
        alias: bool = False,
        dtype: Hashable = None,
        shape: Hashable = None,
        rank: int | None = None,
        dims: tuple[Value, ...] | None = None,
        unbacked: bool = False,
        constant: bool = False,
        fixed: bool = False,
        first: bool = True,
        permuted: int = 0,
        random: bool = False,
        site: Site | None = None,
        sure: int = SEEN,
        param: str | None = None,
    ) -> None:
        self.permuted = permuted
        self.random = random
        self.fixed = fixed
        self.first = first
        self.origin = origin
        self.alias = alias
        self.dtype = dtype
        self.shape = shape
        self.rank = rank
        self.dims = dims
        self.unbacked = unbacked
        self.constant = constant
        self.site = site
        self.sure = sure
        self.param = param

    def key(self) -> Hashable:
        dims = None if self.dims is None else tuple([d.key() for d in self.dims])
        return (
            "T", self.origin, self.alias, self.dtype, self.rank, dims, self.unbacked,
            self.constant, self.fixed, self.sure, self.param, self.first, self.permuted, self.random,
        )  # fmt: skip

    def changed(self, **changes: object) -> Tensor:
        """The same tensor but for the fields given."""
        result = copy.copy(self)
        for name, value in changes.items():
            setattr(result, name, value)
        return result

    def __repr__(self) -> str:
        size = " of data-dependent size" if self.unbacked else ""
        return f"{self.origin} tensor{size}"


class Shape(Value):
    """`tensor.shape`, a torch.Size."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def key(self) -> Hashable:
        return ("S", self.tensor.key())

    def __repr__(self) -> str:
        return f"shape of {self.tensor!r}"


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
            if depth <= self.depth and len(self.items) < 64:
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


class Instance(Value):
    """An object of a class of the project, or a module of torch's own.

    `cls` is the project's class, or None; `external` the qualified name of the library class it is, or derives
    from ('torch.nn.Linear'); `attributes` what its constructor and methods put on it. `state` marks the object
    whose attributes live on between calls (the traced module and its submodules); `building` while its constructor runs.
    """

    __slots__ = ("attributes", "building", "cls", "elements", "external", "identity", "open", "path", "state")

    def __init__(
        self,
        cls: ClassInfo | None,
        external: str = "",
        *,
        identity: Hashable = None,
        state: bool = False,
        path: str = "",
    ) -> None:
        self.cls = cls
        self.external = external
        self.attributes: dict[str, Value] = {}
        self.elements: Sequence | Mapping | None = None
        self.identity = identity
        self.state = state
        self.building = False
        self.open = False
        self.path = path

    def key(self) -> Hashable:
        return ("I", self.identity if self.identity is not None else id(self))

    def __repr__(self) -> str:
        return f"instance of {self.cls.name if self.cls is not None else self.external or 'something'}"


class Class(Value):
    """A class of the project."""

    __slots__ = ("info",)

    def __init__(self, info: ClassInfo) -> None:
        self.info = info

    def key(self) -> Hashable:
        return ("C", id(self.info))

    def __repr__(self) -> str:
        return f"class {self.info.name}"


class Function(Value):
    """A function, lambda or bound method of the project. `closure` is the frame it was made in."""

    __slots__ = ("bound", "closure", "info", "owner")

    def __init__(
        self,
        info: FunctionInfo,
        *,
        bound: Value | None = None,
        closure: Any = None,
        owner: ClassInfo | None = None,
    ) -> None:
        self.info = info
        self.bound = bound
        self.closure = closure
        self.owner = owner

    def key(self) -> Hashable:
        return (
            "F",
            id(self.info),
            None if self.bound is None else self.bound.key(),
            id(self.closure) if self.closure is not None else None,
        )

    def __repr__(self) -> str:
        return f"function {self.info.name}"


class External(Value):
    """Something of a library, by its qualified name: 'torch.sum', 'math', 'torch.nn.Linear', 'id'."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def key(self) -> Hashable:
        return ("E", self.name)

    def __repr__(self) -> str:
        return self.name


class Method(Value):
    """A method bound to a value that is no project object: `x.sum`, `items.append`."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name

    def key(self) -> Hashable:
        return ("M", self.receiver.key(), self.name)

    def __repr__(self) -> str:
        return f"method {self.name} of {self.receiver!r}"


# What stands for the storage of a tensor: a method of it that is no method.
STORAGE: Final = "storage of"


class Partial(Value):
    """`functools.partial(callee, …)`: a call that waits for its last arguments."""

    __slots__ = ("args", "callee", "keywords")

    def __init__(self, callee: Value, args: list[Value], keywords: dict[str, Value]) -> None:
        self.callee = callee
        self.args = args
        self.keywords = keywords

    def key(self) -> Hashable:
        return (
            "P",
            self.callee.key(),
            tuple([a.key() for a in self.args]),
            tuple([(k, v.key()) for k, v in self.keywords.items()]),
        )


class ModuleRef(Value):
    """A module (file) of the project."""

    __slots__ = ("module",)

    def __init__(self, module: Module) -> None:
        self.module = module

    def key(self) -> Hashable:
        return ("m", id(self.module))


class OneOf(Value):
    """One of a few values, none of them a OneOf or unknown."""

    __slots__ = ("choices",)

    def __init__(self, choices: tuple[Value, ...]) -> None:
        self.choices = choices

    def key(self) -> Hashable:
        return ("|", *sorted([str(c.key()) for c in self.choices]))

    def __repr__(self) -> str:
        return " | ".join(map(repr, self.choices))


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
