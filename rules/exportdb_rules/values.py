"""The abstract domain: what the interpreter knows of a Python value while export traces.

It follows the distinction that torch's own programming model makes (docs: "torch.export Programming Model", static
and dynamic values): what is fixed when tracing begins (`Const`, `Static`), what export keeps symbolic (`Tensor`,
`Sym`), and what is fixed by tracing although it differs from call to call (`TraceTime`). All values but the
containers and objects are immutable; those two are allocation sites, and grow monotonically.
"""

from __future__ import annotations

import copy
import itertools
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeGuard

if TYPE_CHECKING:
    import ast
    from collections.abc import Hashable

    from exportdb_rules.lattice import Mapping, Sequence
    from exportdb_rules.project import ClassInfo, FunctionInfo, Module
    from exportdb_rules.terms import Demand, Term


class Evidence(IntEnum):
    """What shows that a value is what the interpreter says it is."""

    # Code that is not analyzed returned it where it was given a tensor: a tensor, or an object or container that holds some.
    RETURNED = -1
    # Convention alone takes an entry's parameter for a tensor.
    ASSUMED = 0
    # It is computed from such a one, by an operation that only tensors have.
    DERIVED = 1
    OBSERVED = 2


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
MAX_MOVES: Final = 2

# A key tells the elements of a container apart, and of containers among them what covers their elements.
KEY_LEVELS: Final = 2


class Value:
    """Base of all abstract values."""

    __slots__ = ()

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        """What tells two values apart where calls are memoised; equal keys mean interchangeable arguments.

        Args:
            levels: how far into what the value is made of its key looks. A value that is built of itself twice, again
                and again, is small as an object and without end when it is written out.
        """
        return id(self)


class Top(Value):
    """Anything. No `certain` finding ever rests on it."""

    __slots__ = ()

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return "?"

    def __repr__(self) -> str:
        return "unknown"


TOP: Final = Top()


class Const(Value):
    """A Python constant whose value is known (None, bool, int, float, str, bytes, Ellipsis)."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return ("c", type(self.value).__name__, self.value)

    def __repr__(self) -> str:
        return f"const {self.value!r}"


NONE: Final = Const(None)
TRUE: Final = Const(True)
FALSE: Final = Const(False)


class Static(Value):
    """Fixed before tracing (a configuration value), but not known. `type` is a Python type name or ''.

    A static value may also be any object of which nothing is known but that the constructor was given it. `number`: a size
    that is this in the example: what it is compared with is decided, but the code was written for others as well.
    `around`: how a text begins and ends of which no more is known. `printed`: the number from data that a text was made of,
    where tracing prints the symbol. `name`: which parameter of a constructor it is, or what is computed from some: equal
    for two values that are the same, whatever they are. `default`: what it is where the constructor is given nothing else.
    """

    __slots__ = ("around", "default", "name", "number", "printed", "type")

    def __init__(
        self,
        type: str = "",
        number: int | None = None,
        around: tuple[str, str] | None = None,
        printed: Sym | None = None,
        name: Hashable = None,
        default: Const | None = None,
    ) -> None:
        self.default = default
        self.name = name
        self.type = type
        self.number = number
        self.around = around
        self.printed = printed

    def by_default(self, value: object) -> Static:
        """The same, of which it is known what it is where nothing else is given."""
        return Static(self.type, self.number, self.around, self.printed, self.name, Const(value))

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        if self.printed is not None:
            return ("s", self.type, self.around, self.printed.key(levels))
        if self.around is not None:
            return ("s", self.type, self.around)
        return ("s", self.type, self.name, self.number, None if self.default is None else self.default.key())

    def __repr__(self) -> str:
        return f"static {self.type or 'value'}"


STATIC: Final = Static()
STATIC_INT: Final = Static("int")
STATIC_FLOAT: Final = Static("float")
STATIC_BOOL: Final = Static("bool")
STATIC_STR: Final = Static("str")
# Of a tensor: what is exported is on one device, as a rule.
DEVICE: Final = Static("torch.device")
# What a numpy function gives for plain numbers while tracing: strict export makes a tensor of it, of unknown data.
NUMPY: Final = Static("numpy")
# A number in an array of NumPy's, or what is computed of such: strict export takes it for a tensor, which many uses allow.
NUMPY_ELEMENT: Final = Static("numpy element")
# What a numpy function gave before tracing began: an attribute of the module, a name of the file. KEPT_NUMBER: a number; KEPT_ARRAY: an array for sure.
KEPT: Final = Static("kept numpy")
KEPT_NUMBER: Final = Static("kept numpy number")
KEPT_ARRAY: Final = Static("kept numpy array")
# The Python numbers that traced code reads from such a number.
KEPT_INT: Final = Static("int")
KEPT_FLOAT: Final = Static("float")


# `TraceTime.type` of an array that numpy filled at once, which strict export traces.
ARRAY: Final = "array"


class TraceTime(Value):
    """Evaluated once, while tracing, though eager evaluates it on every call: id, time, random, a counter.

    `source` is the qualified name of what was called; `site` is where. `type`: a Python type name, ARRAY, `list` of what has
    elements but is no such array, or ''. `evidence` is what shows that it is such a value.
    """

    __slots__ = ("evidence", "site", "source", "type")

    def __init__(
        self, source: str, type: str = "", site: Site | None = None, evidence: Evidence = Evidence.OBSERVED
    ) -> None:
        self.source = source
        self.type = type
        self.site = site
        self.evidence = evidence

    @property
    def drawn(self) -> bool:
        """Whether Python or NumPy drew it."""
        return self.source.startswith(("random.", "numpy.random."))

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return ("t", self.source, self.type, self.evidence)

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
    `dim`: the named Dim that it is, equal for all sizes that were declared by one name. `term`: what it is in terms of the
    sizes of the inputs, where that is known. `asked`: of a bool, the comparison that it is the answer to; `then`: the answer
    for the next pair, which tuples and lists are compared by where this pair is equal.
    """

    __slots__ = ("asked", "backed", "dim", "evidence", "high", "low", "site", "size", "term", "then", "type")

    def __init__(
        self,
        type: str = "int",
        *,
        backed: bool,
        site: Site | None = None,
        low: float | None = None,
        high: float | None = None,
        size: bool = False,
        evidence: Evidence = Evidence.OBSERVED,
        dim: str | None = None,
        term: Term | None = None,
        asked: tuple[str, Term, Term] | None = None,
        then: Sym | None = None,
    ) -> None:
        self.dim = dim
        self.term = term
        self.asked = asked
        self.then = then
        self.type = type
        self.backed = backed
        self.site = site
        self.low = low
        self.high = high
        self.size = size
        self.evidence = evidence

    @property
    def last(self) -> Sym:
        """The end of the pairs that were compared: the answer where all before it are equal, as far as that is known."""
        return self if self.then is None else self.then.last

    def whole(self) -> Sym:
        """The same pairs, of which strict export asks as a whole."""
        if self.then is None:
            return self.changed(low=0, high=0) if self.low == 1 else self
        return self.changed(then=self.then.whole())

    def changed(self, **changes: object) -> Sym:
        """The same symbol but for the fields given."""
        result = copy.copy(self)
        for name, value in changes.items():
            setattr(result, name, value)
        return result

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return (
            "y",
            self.type,
            self.backed,
            self.low,
            self.high,
            self.size,
            self.evidence,
            self.dim,
            self.term,
            self.asked,
            self.then and self.then.key(levels),
        )

    def __repr__(self) -> str:
        return f"{'backed' if self.backed else 'unbacked'} Sym{self.type.capitalize()}"


OPEN_RANK: Final = 1 << 20
"""From where the ranks of inputs are counted that have none yet (`exportdb_rules.interpreter.ranks`)."""


def is_open_rank(rank: int) -> bool:
    """Whether a rank is counted from that of an input which is not known."""
    return rank > OPEN_RANK // 2


class Tensor(Value):
    """A tensor that export traces.

    origin: whose storage it has (`input`, `parameter`, `buffer`, `attribute`, `fresh`, `anywhere`, `operand`).
    alias: True when it may share that storage (a view) or is the very object; False for a fresh result.
    dtype: a torch dtype name ('bool', 'int64', …), a token equal for tensors of equal dtype, or None.
    shape: a token equal for tensors of equal shape, or None. ('dims', ()) is the 0-dimensional shape.
    rank: number of dimensions, or None.
    dims: what each of its sizes is, or None where they are not known one by one.
    unbacked: some size is data-dependent; `site` is where it became so, `axis` which one, as far as is known, and `some` whether it
    is never 0.
    constant: built from Python constants while tracing, so that `.item()` gives a plain number.
    fixed: all its sizes are known before tracing (a parameter's, a buffer's), so none of them is ever symbolic.
    sized: no input decides its numbers, but by its sizes: `torch.arange(n)`, and what is computed from such tensors alone.
    moves: how often its dimensions were moved (a transpose), up to MAX_MOVES, since it was laid out anew.
    random: its numbers were drawn, or computed from drawn ones alone.
    array: in eager it is an array of numpy's, which strict export traces as a tensor.
    kept: the backward pass to it needs a tensor that only autograd knows (`exportdb_rules.interpreter.gradients`).
    readable: it was made before tracing, and is no buffer: non-strict export finds its numbers where it is asked for them itself.
    requires_grad: it is a parameter, or computed from one while gradients are on; so it requires grad unless that is fixed.
    ordered: though it is a view, its numbers lie one after another, as far as is known: `x.view(b, -1)` of what does.
    place: the number from data that says where in another tensor it lies, as a view, if that may be negative: `x[:, n:]`,
    `x.narrow(0, n, 1)`.
    windows: which dimension of it is windows or steps of another tensor, and what export asks where they are laid out anew.
    evidence: what shows that it is a tensor. param: the entry's parameter that an ASSUMED tensor is.
    """

    __slots__ = (
        "alias",
        "array",
        "axis",
        "constant",
        "dims",
        "dtype",
        "evidence",
        "fixed",
        "kept",
        "moves",
        "ordered",
        "origin",
        "param",
        "place",
        "random",
        "rank",
        "readable",
        "requires_grad",
        "shape",
        "site",
        "sized",
        "some",
        "unbacked",
        "windows",
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
        sized: bool = False,
        axis: int | None = 0,
        some: bool = False,
        moves: int = 0,
        random: bool = False,
        array: bool = False,
        kept: bool = False,
        readable: bool = False,
        requires_grad: bool = False,
        ordered: bool = False,
        place: Sym | None = None,
        windows: tuple[int, Demand] | None = None,
        site: Site | None = None,
        evidence: Evidence = Evidence.OBSERVED,
        param: str | None = None,
    ) -> None:
        self.ordered = ordered
        self.place = place
        self.windows = windows
        self.array = array
        self.kept = kept
        self.readable = readable
        self.requires_grad = requires_grad
        self.moves = moves
        self.random = random
        self.fixed = fixed
        self.sized = sized
        self.axis = axis
        self.some = some
        self.origin = origin
        self.alias = alias
        self.dtype = dtype
        self.shape = shape
        self.rank = rank
        self.dims = dims
        self.unbacked = unbacked
        self.constant = constant
        self.site = site
        self.evidence = evidence
        self.param = param

    @property
    def known_rank(self) -> int | None:
        """The rank, but where it is counted from one that is not known."""
        return None if self.rank is None or is_open_rank(self.rank) else self.rank

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        dims = None if self.dims is None else tuple([d.key() for d in self.dims])
        return (
            "T", self.origin, self.alias, self.dtype, self.rank, dims, self.unbacked,
            self.constant, self.fixed, self.sized, self.evidence, self.param, self.axis, self.some, self.moves, self.random,
            self.array, self.kept, self.readable, self.requires_grad, self.ordered, self.windows,
            self.place is not None,
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


def is_assumed(value: Value) -> bool:
    """Whether a value is a tensor by convention alone."""
    return type(value) is Tensor and (
        value.evidence <= Evidence.ASSUMED or (value.param is not None and value.evidence < Evidence.OBSERVED)
    )


def is_returned(value: Value) -> TypeGuard[Tensor]:
    """Whether a value is what code that is not analyzed returned, or a part of it: it may be no tensor, but hold some."""
    return type(value) is Tensor and value.evidence is Evidence.RETURNED


def is_unknown(value: Value) -> bool:
    """Whether nothing is known of a value but, at most, that code that is not analyzed made it of tensors."""
    return value is TOP or is_returned(value)


def may_count_back(value: Value) -> TypeGuard[Sym]:
    """Whether a value is a number from data that may be negative, so that it counts a position from the end."""
    return type(value) is Sym and not value.backed and not value.size and (value.low is None or value.low < 0)


class Shape(Value):
    """`tensor.shape`, a torch.Size."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return ("S", self.tensor.key())

    def __repr__(self) -> str:
        return f"shape of {self.tensor!r}"


AGE: Final = itertools.count()


class Instance(Value):
    """An object of a class of the project, or a module of torch's own.

    `cls` is the project's class, or None; `external` the qualified name of the library class it is, or derives
    from ('torch.nn.Linear'); `attributes` what its constructor and methods put on it, `elements` what a container of
    modules holds. `state` marks the object whose attributes live on between calls (the traced module and its
    submodules); `building` while its constructor runs; `open` one that has attributes which nobody saw. `identity` is
    equal for two objects that calls need not tell apart. `given` is what the constructor of a module of torch's own was
    given, by position or name. `hooks` are the functions that its constructor registered to run around `forward`,
    `parameters_as_buffers` the names of the buffers that are parameters, which are registered nowhere else. `own_mode` is
    what somebody chose for its `training`, apart from the model that it is part of; None where nobody did.
    """

    __slots__ = (
        "attributes",
        "born",
        "building",
        "cls",
        "elements",
        "external",
        "given",
        "hooks",
        "identity",
        "made_at",
        "maker",
        "open",
        "own_mode",
        "parameters_as_buffers",
        "state",
    )

    def __init__(
        self,
        cls: ClassInfo | None,
        external: str = "",
        *,
        identity: Hashable = None,
        state: bool = False,
    ) -> None:
        self.cls = cls
        self.external = external
        self.attributes: dict[str, Value] = {}
        self.parameters_as_buffers: frozenset[str] = frozenset()
        self.elements: Sequence | Mapping | None = None
        self.given: dict[int | str, Value] = {}
        self.hooks: list[tuple[str, Value, dict[str, Value]]] = []
        self.identity = identity
        self.state = state
        self.building = False
        self.open = False
        self.own_mode: Value | None = None
        # The function whose traced code made it.
        self.maker: FunctionInfo | None = None
        # Where it is made: one of a class stands for all that are made of equal arguments.
        self.made_at: set[ast.AST] = set()
        # Which of two came first: what was done before an object was made is not done to it.
        self.born = next(AGE)

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return ("I", self.identity if self.identity is not None else id(self))

    def __repr__(self) -> str:
        return f"instance of {self.cls.name if self.cls is not None else self.external or 'something'}"


class Class(Value):
    """A class of the project."""

    __slots__ = ("info",)

    def __init__(self, info: ClassInfo) -> None:
        self.info = info

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
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

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return (
            "F",
            id(self.info),
            None if self.bound is None else self.bound.key(max(levels - 1, 0)),
            id(self.closure) if self.closure is not None else None,
        )

    def __repr__(self) -> str:
        return f"function {self.info.name}"


class External(Value):
    """Something of a library, by its qualified name: 'torch.sum', 'math', 'torch.nn.Linear', 'id'. `token`: of a dtype that a
    tensor was asked for, the token that the tensor has for it."""

    __slots__ = ("name", "token")

    def __init__(self, name: str, token: Hashable = None) -> None:
        self.name = name
        self.token = token

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return ("E", self.name, self.token)

    def __repr__(self) -> str:
        return self.name


class Method(Value):
    """A method bound to a value that is no project object: `x.sum`, `items.append`."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return ("M", self.receiver.key(max(levels - 1, 0)), self.name)

    def __repr__(self) -> str:
        return f"method {self.name} of {self.receiver!r}"


# What stands for the storage of a tensor, of typed elements or of bytes: a method of it that is no method.
STORAGE: Final = "storage of"
UNTYPED_STORAGE: Final = "untyped storage of"


class Partial(Value):
    """`functools.partial(callee, …)`: a call that waits for its last arguments. `backward`: that of the autograd Function whose
    `apply` it is, or torch's own, which raises."""

    __slots__ = ("args", "backward", "callee", "keywords")

    def __init__(
        self, callee: Value, args: list[Value], keywords: dict[str, Value], backward: Value | None = None
    ) -> None:
        self.callee = callee
        self.args = args
        self.keywords = keywords
        self.backward = backward

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        if not levels:
            return ("P", id(self))  # what it calls decides everything: no two are taken for one
        below = levels - 1
        return (
            "P",
            self.callee.key(below),
            tuple([a.key(below) for a in self.args]),
            tuple([(k, v.key(below)) for k, v in self.keywords.items()]),
            None if self.backward is None else self.backward.key(below),
        )


class ModuleRef(Value):
    """A module (file) of the project."""

    __slots__ = ("module",)

    def __init__(self, module: Module) -> None:
        self.module = module

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        return ("m", id(self.module))


class Union(Value):
    """One of a few values, none of them a Union or unknown."""

    __slots__ = ("choices",)

    def __init__(self, choices: tuple[Value, ...]) -> None:
        self.choices = choices

    def key(self, levels: int = KEY_LEVELS) -> Hashable:
        # Not by their texts: those of keys within keys grow twofold with every level, quotes and all.
        return ("|", frozenset([c.key(levels) for c in self.choices]))

    def __repr__(self) -> str:
        return " | ".join(map(repr, self.choices))
