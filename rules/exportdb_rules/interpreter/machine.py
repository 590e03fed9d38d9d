"""The state of a run, the frames of functions, and the summaries that keep a function from being run twice."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from exportdb_rules.dynamic_shapes import NONE as STATIC_SHAPES
from exportdb_rules.facts import Called, Converted, Indexed, SizeGiven
from exportdb_rules.interpreter.environment import Environment
from exportdb_rules.interpreter.registries import fill
from exportdb_rules.interpreter.waiting import Waiting
from exportdb_rules.lattice import Mapping, Owner, Sequence, copied, held, join_all
from exportdb_rules.namespaces import local_class
from exportdb_rules.project import ClassInfo, FunctionInfo, Import, Module, dotted
from exportdb_rules.report import DEFAULT_TORCH
from exportdb_rules.values import (
    STATIC,
    STATIC_BOOL,
    TOP,
    Class,
    Const,
    External,
    Function,
    Instance,
    ModuleRef,
    Site,
    Static,
    Value,
    is_returned,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from exportdb_rules.declared import Declared, Written
    from exportdb_rules.dynamic_shapes import Dimensions
    from exportdb_rules.facts import Fact, SizeDemanded
    from exportdb_rules.interpreter.ownership import Ownership
    from exportdb_rules.interpreter.waiting import Idle
    from exportdb_rules.project import Project
    from exportdb_rules.slice_guards import Answer
    from exportdb_rules.terms import Term

    Evaluator = Callable[["Frame", ast.AST], Value]
    Executor = Callable[["Frame", ast.AST], None]

# Calls deeper than this are not followed; real models stay below 20.
MAX_CALLS_DEEP: Final = 28
# Distinct abstract arguments with which one function is run; further calls get the join of what the others gave.
MAX_CONTEXTS: Final = 8
# The same for functions of a few lines (`default(x, d)`), which are cheap to run and called with everything.
MAX_CONTEXTS_SMALL: Final = 64
SMALL: Final = 4
# A function inside a function is run anew at each call, for what it sees of the outer one; so often for each entry.
MAX_CLOSURE_RUNS: Final = 200
# Statements, calls, operations and subscripts that one run of a function, or of a name of a file, evaluates: 20 times
# what the largest function seen needs. Loops in loops, each run until nothing changes, double it with every level.
MAX_STEPS: Final = 20_000
# A function that is as long as that by itself may take so many for each of its lines.
STEPS_A_LINE: Final = 20
# What a library that knows nothing of torch computes before tracing (it compiles a pattern, parses a text) is plain, and
# may so many: a helper does with less, and of what takes more nobody here needs the result.
MAX_STEPS_OF_LIBRARY: Final = 500
# The same for all that an entry reaches.
MAX_STEPS_OF_ENTRY: Final = 200_000
# Whoever waits for the answer is asked so often whether they still do, once an entry has taken more than that.
BETWEEN_LOOKS: Final = 1 << 12
# So many values of one node are recorded before they are joined: of most files nobody asks for them.
MAX_UNJOINED: Final = 16


# What leaves a block otherwise than by its end.
_WAYS_OUT: Final = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)


EVALUATE: Final[dict[type, Evaluator]] = {}
EXECUTE: Final[dict[type, Executor]] = {}


class FuelExhausted(Exception):
    """The work grew past its bound: that of one run of a function (`frame`), or of the entry as a whole (None)."""

    def __init__(self, frame: Frame | None = None) -> None:
        super().__init__()
        self.frame = frame


class Summary:
    """What one run of a function gave: its result, the facts seen in it, and the calls that it made."""

    __slots__ = (
        "backward_calls",
        "call_contexts",
        "calls",
        "captured",
        "certain_calls",
        "entry",
        "facts",
        "function",
        "looped",
        "looped_calls",
        "names",
        "off",
        "optional",
        "owner",
        "pure",
        "raises",
        "reads",
        "reads_is_compiling",
        "receiver",
        "result",
        "trained",
        "values",
        "visit",
    )

    def __init__(self, function: FunctionInfo | None) -> None:
        self.function = function
        self.result: Value = TOP
        self.facts: list[Fact] = []
        # Those of them that only training mode brings about.
        self.trained: set[Fact] = set()
        # Those of them that are on a path that tracing may not take.
        self.optional: set[Fact] = set()
        # Those of these that are in the body of a loop, and in no branch: it may run no time.
        self.looped: set[Fact] = set()
        # Those of them that are in an expression whose value an option decides before, as it is by default.
        self.off: set[Fact] = set()
        self.calls: list[tuple[Site, Summary]] = []
        # The backward passes of autograd Functions, which strict export alone traces.
        self.backward_calls: list[tuple[Site, Summary]] = []
        # The calls of higher-order operators, whose functions Dynamo captures in both modes.
        self.captured: set[ast.AST] = set()
        # Those calls that are on every path through the function.
        self.certain_calls: list[Summary] = []
        # Those that are in the bodies of loops, and in no branch.
        self.looped_calls: list[Summary] = []
        self.pure = True
        # How it called the `forward` of others, and the values that keep its memo key alive.
        self.call_contexts: list[tuple[FunctionInfo, dict[str, Value]]] = []
        # The attributes that live on between calls whose old values it read: once one is written, it is run anew.
        self.reads: set[tuple[int, str]] = set()
        self.names: tuple[str, ...] = ()
        self.values: tuple[Value, ...] = ()
        self.receiver: Value | None = None
        self.owner: ClassInfo | None = None
        self.visit = 0
        # The entry that was traced.
        self.entry: Hashable = None
        # It asked torch whether export traces, and was told yes.
        self.reads_is_compiling = False
        # It never returns: every path through it raises.
        self.raises = False

    def renew(self, other: Summary) -> None:
        """Take what another run of the same function, on the same values, saw."""
        self.facts, self.calls, self.call_contexts = other.facts, other.calls, other.call_contexts
        self.captured = other.captured
        self.trained, self.optional, self.off = other.trained, other.optional, other.off
        self.certain_calls, self.looped, self.looped_calls = other.certain_calls, other.looped, other.looped_calls
        self.result, self.reads_is_compiling, self.reads = other.result, other.reads_is_compiling, other.reads

    def dissolve(self) -> None:
        """See `AnalysisState.dissolve`."""
        self.calls.clear()
        self.backward_calls.clear()
        self.certain_calls.clear()
        self.looped_calls.clear()
        self.facts.clear()
        self.trained.clear()
        self.optional.clear()
        self.looped.clear()
        self.off.clear()
        self.call_contexts.clear()
        self.values = ()


class Wrapped(NamedTuple):
    """What the decorators of an entry did around it: what was seen, what came out, what had been written to objects that live
    on between calls, and which of their attributes had been read."""

    summary: Summary
    result: Value
    heap: dict[tuple[int, str], Value]
    read: set[tuple[int, str]]


def reached(roots: Iterable[Summary]) -> Iterator[Summary]:
    """Runs, and those of all that was called in them, each once."""
    seen: set[int] = set()
    waiting = list(roots)[::-1]
    while waiting:
        summary = waiting.pop()
        if id(summary) not in seen:
            seen.add(id(summary))
            yield summary
            waiting += [inner for _, inner in summary.calls]


class AnalysisState:
    """Everything that one check shares between its entries."""

    __slots__ = (
        "active",
        "annotated",
        "assumed",
        "attributes_asked",
        "autocast",
        "begun",
        "closures",
        "constructions",
        "contexts",
        "declared",
        "depth",
        "differentiated",
        "dynamic",
        "dynamic_key",
        "entered",
        "entry",
        "example_sizes",
        "fuel",
        "heap",
        "idle",
        "inputs",
        "instances",
        "interrupt",
        "interrupted",
        "learns_ranks",
        "mapped",
        "modes",
        "module_values",
        "nested",
        "no_grad",
        "numbers_read",
        "observed",
        "ownership",
        "project",
        "reached",
        "read",
        "recorded",
        "replaced",
        "root",
        "settled",
        "summaries",
        "targets",
        "torch_version",
        "training",
        "undecided",
        "untraced",
        "used_as_tensors",
        "values",
        "visit",
        "waiting",
        "wrapped",
        "wrappers",
    )

    def __init__(
        self,
        project: Project,
        *,
        dynamic: Dimensions = STATIC_SHAPES,
        declared: tuple[Declared, ...] = (),
        targets: tuple[Written, ...] = (),
        torch_version: str = DEFAULT_TORCH,
    ) -> None:
        self.project = project
        self.declared = declared
        self.targets = targets
        self.torch_version = torch_version
        self.assumed = dynamic
        self.declare(dynamic)
        # The sizes of the dynamic dimensions in the example inputs of all entries; None where these differ.
        self.example_sizes: dict[str, int | None] = {}
        # Sizes that may be one, of which strict export has not asked that yet, and where they were computed.
        self.undecided: dict[Term, SizeDemanded] = {}
        # An entry is traced for the ranks of its inputs alone (`exportdb_rules.interpreter.ranks`).
        self.learns_ranks = False
        # Where non-strict export reads the number of a tensor that the constructor made.
        self.numbers_read: dict[int, ast.AST] = {}
        self.summaries: dict[Hashable, Summary] = {}
        self.contexts: dict[int, list[Summary]] = {}
        self.constructions: dict[int, int] = {}
        self.nested: dict[int, FunctionInfo | ClassInfo] = {}
        self.active: set[Hashable] = set()
        # What annotations promise of parameters and results that nothing else is known of. The annotation itself is
        # kept too: an id is only good for as long as its object lives.
        self.annotated: dict[int, tuple[ast.expr, Value]] = {}
        self.used_as_tensors: dict[int, tuple[FunctionInfo, frozenset[str]]] = {}
        # The same for the parameters of entries, where all that they are given can be the same object.
        self.inputs: dict[int, tuple[ast.arg, Value | None]] = {}
        self.module_values: dict[tuple[int, str], Value] = {}
        self.instances: dict[Hashable, Instance] = {}
        # The entry at hand. What it fills while it is traced (a cache of keys and values) is its own.
        self.entry: Hashable = None
        # The module that the entry at hand exports, and where that keeps its modules, once it is asked.
        self.root: Instance | None = None
        self.ownership: Ownership | None = None
        # What the entry at hand wrote to attributes of objects that live on between calls.
        self.heap: dict[tuple[int, str], Value] = {}
        self.read: set[tuple[int, str]] = set()
        # Those of them that it certainly wrote.
        self.begun: set[tuple[int, str]] = set()
        # How `forward` of each class was called by others: its parameters' values, of each call.
        self.observed: dict[int, list[dict[str, Value]]] = {}
        # And in which mode the exported model was then, as `training` has it.
        self.modes: dict[int, set[bool | None]] = {}
        # Whether the model of the entry at hand is exported in training mode; None where that is not known.
        self.training: bool | None = None
        # The file whose values are recorded, and what each of its nodes evaluated to: a value, or several to be joined.
        self.recorded: Module | None = None
        self.values: dict[ast.AST, Value | list[Value]] = {}
        # The functions of the entries that were traced, and the files that anything was evaluated of.
        self.entered: set[ast.AST] = set()
        self.reached: set[Module] = set()
        # Calls that are postponed; and the call at hand whose result is not used, or only put on an object.
        self.waiting = Waiting()
        self.idle: Idle | None = None
        self.depth = 0
        # Whether the file of the entry at hand speaks of autograd, so that it has to be known what it goes through.
        self.differentiated = False
        # How many contexts that switch gradients off are open.
        self.no_grad = 0
        # How many calls of what `torch.vmap` gave are under way.
        self.mapped = 0
        # How many contexts are open in which the CPU computes in a lower precision.
        self.autocast = 0
        self.fuel = 0
        # The attributes, by object, for which a `__getattr__` or `__setattr__` of the project is under way.
        self.attributes_asked: set[tuple[int, str]] = set()
        # How often each function inside a function was run for the entry at hand.
        self.closures: dict[int, int] = {}
        # What the decorators of functions made of them; see `exportdb_rules.interpreter.wrappers`.
        self.wrappers: dict[int, Function | None] = {}
        # Whether those of classes replace their `forward`.
        self.replaced: dict[int, bool] = {}
        # What these did around the entries, by the keys of their summaries.
        self.wrapped: dict[Hashable, Wrapped] = {}
        # The frames of decorators that are done, and whose names nothing inside them binds anew.
        self.settled: set[int] = set()
        # Asked while an entry takes long; what it raises ends the check in the middle of an entry.
        self.interrupt: Callable[[], None] | None = None
        self.interrupted = False
        # Functions that ran before tracing (constructors and what they call): their effects cannot be taken back.
        self.untraced: set[int] = set()
        # The number of the check; a summary that an earlier check made is accounted for when it is first met again.
        self.visit = 0

    def declare(self, dynamic: Dimensions) -> None:
        """The dimensions of the entry at hand: what its file declares, else what is assumed."""
        self.dynamic = dynamic
        self.dynamic_key = dynamic.key()

    def in_training(self, owner: Instance) -> Value:
        """What `training` of a module is: `eval()` reaches every module of a model, but one of a model in training may have been
        put into eval mode, and its `forward` may put modules into another."""
        if (chosen := self.heap.get((id(owner), "training"))) is not None:
            return chosen
        if self.training and owner.own_mode is not None:
            return owner.own_mode if len(owner.made_at) < 2 else STATIC_BOOL
        return STATIC_BOOL if self.training is None else Const(self.training)

    def begin_call(self) -> None:
        """Another call of the model begins, that has written and read nothing."""
        self.heap, self.read, self.begun = {}, set(), set()

    def begin(self) -> None:
        """Another check with what the last one learnt: what it counted is counted anew."""
        self.visit += 1
        self.observed = {}
        self.modes = {}
        self.contexts = {}

    def dissolve(self) -> None:
        """Nobody needs it any more: what refers to itself in a circle would wait for the garbage collector."""
        self.waiting = Waiting()
        for instance in self.instances.values():
            instance.attributes.clear()
        for summary in self.summaries.values():
            summary.dissolve()
        for known in (
            self.summaries,
            self.contexts,
            self.instances,
            self.nested,
            self.module_values,
            self.observed,
            self.modes,
            self.heap,
            self.wrapped,
            self.wrappers,
            self.settled,
        ):
            known.clear()

    def module_value(self, module: Module, name: str) -> Value | None:
        """The value of a name of a module, or as it is seen inside a function of it; None if nothing there binds it."""
        key = (id(module), name)
        found = self.module_values.get(key)
        if found is not None:
            return found
        bound = module.scope.get(name)
        if bound is None and module.around is not None:
            return self.module_value(module.around, name)
        if bound is None:
            value = self._from_star(module, name) if "*" in module.scope else None
            if value is not None:
                self.module_values[key] = value
            return value
        self.module_values[key] = TOP  # a cycle finds this
        values: list[Value] = []
        for item in bound:
            if isinstance(item, FunctionInfo):
                values.append(Function(item))
            elif isinstance(item, ClassInfo):
                values.append(Class(item))
            elif isinstance(item, Import):
                values.append(self.imported(module, item))
            elif isinstance(item, ast.expr):
                decorated = bool(values) and type(values[-1]) is Class and _decorates(item, name)
                values.append(values[-1] if decorated else self._bound_value(module, item, key, values))
            else:
                values.append(STATIC)
        known = [v for v in values if type(v) is External and v.name.startswith("torch.")]
        if known and len(values) > 1:
            # try: from torch import _assert … except ImportError: def _assert(…): torch is there
            self.module_values[key] = known[0]
            return known[0]
        definitions = [v for v in values if isinstance(v, (Function, Class))]
        value = definitions[-1] if definitions else values[-1] if _rebinds(module, bound) else join_all(values)
        if len(values) > 1 and value is TOP:
            # try: import numba … except ImportError: numba = None
            externals = [v for v in values if isinstance(v, (External, ModuleRef, Class, Function))]
            value = externals[0] if externals else TOP
        if isinstance(value, (Sequence, Mapping)) and value.owner is None:
            value.owner = Owner("global", name)
        self.module_values[key] = value
        if type(value) in (Mapping, Sequence) or (type(value) is Instance and value.cls is not None):
            self._untraced(module, lambda frame: fill(frame, name, value, evaluate, execute))
        return value

    def _bound_value(self, module: Module, item: ast.expr, key: tuple[int, str], before: list[Value]) -> Value:
        """What a name is bound to, and was bound to before: `TABLE = dict(TABLE, …)` means what it was."""
        if not before:
            return self.value_of(module, item)
        self.module_values[key] = before[-1]
        return self._evaluated(module, item)

    def _from_star(self, module: Module, name: str) -> Value | None:
        """The value of a name that only a `from … import *` of the module, or of one behind it, can bring."""
        source = self.project.from_star(module, name)
        return None if source is None else self.module_value(source, name)

    def imported(self, module: Module, item: Import) -> Value:
        """What an import statement of a module binds."""
        target = self.project.find_module(item.module, module)
        if item.attribute is None:
            return ModuleRef(target) if target is not None else External(item.module)
        if target is None:
            return self.of_library(item.module, item.attribute, module)
        return self.member(target, item.attribute, f"{item.module}.{item.attribute}", module)

    def of_library(self, module: str, name: str, origin: Module) -> Value:
        """What a library has under a name: a class or a function whose code is at hand, and is followed, or its name alone."""
        source = self.project.followed_module(module, origin)
        value = None if source is None else self.member(source, name, f"{module}.{name}", source)
        return value if isinstance(value, (Class, Function)) else External(f"{module}.{name}")

    def member(self, owner: Module, name: str, qualified: str, origin: Module) -> Value:
        """What a file has under a name: what it binds, then a module of the package that it is, then what it gets by `*`."""
        # Files are looked for before the names of thousands are read.
        bound = owner.binds(name) or not owner.is_package
        inner = None if bound else self.project.find_module(qualified, origin)
        value = self.module_value(owner, name) if inner is None else ModuleRef(inner)
        if value is None and bound:
            inner = self.project.find_module(qualified, origin)
            value = None if inner is None else ModuleRef(inner)
        return TOP if value is None else value

    def value_of(self, module: Module, node: ast.expr) -> Value:
        """An expression at the top level of a module."""
        self.reached.add(module.file)
        shared = self._shared(module, node)
        return self._evaluated(module, node) if shared is None else shared

    def _shared(self, module: Module, node: ast.expr) -> Value | None:
        """What an expression at the top level of a module gives, found once for all runs; None where each has its own: what
        can be written to belongs to one run. Of a table of plain values each run has a copy."""
        if node.__class__ not in _SHARED or module.file is self.recorded:
            return None
        known = self.project.values.get(id(node))
        if not isinstance(known, Shared):
            # A cycle finds that nothing is known. The node is kept: an id is only good for as long as its object lives.
            self.project.values[id(node)] = Shared(node, TOP)
            self.project.values[id(node)] = known = Shared(node, *self._sharable(module, node))
        if known.value is None or (known.table and self.dynamic.any):
            return None
        self.reached |= known.reached
        return copied(known.value) if known.table else known.value

    def _sharable(self, module: Module, node: ast.expr) -> tuple[Value | None, frozenset[Module], bool]:
        """The value of an expression, if runs can share it, the files that it was read in, and whether it is a table."""
        nothing = (None, frozenset[Module](), False)
        if isinstance(node, ast.Call):
            target = self.project.resolve_expression(module, node.func)
            # What a class gives is an object of its own, and what a library gives may be.
            if isinstance(target, ClassInfo) or (isinstance(target, str) and target not in _MAKE_TABLES):
                return nothing
        run = AnalysisState(self.project)
        value = run._evaluated(module, node)
        if _is_plain(value):
            return value, frozenset(), False
        made = run.summaries or run.instances or run.nested or run.waiting.by_name
        if made or not all(map(_is_plain, run.module_values.values())) or not _is_table(value):
            return nothing
        return value, frozenset(run.reached), True

    def _evaluated(self, module: Module, node: ast.expr) -> Value:
        return self._untraced(module, lambda frame: evaluate(frame, node))

    def _untraced(self, module: Module, work: Callable[[Frame], Value]) -> Value:
        """What the top level of a module does when it is imported."""
        frame = Frame(self, module, None)
        frame.traced = False
        # Whichever entry is the first to ask, and however much of its share is left, the answer is the same.
        fuel, self.fuel = self.fuel, MAX_STEPS
        try:
            return work(frame)
        except (RecursionError, FuelExhausted):
            return TOP
        finally:
            self.fuel = fuel

    def nested_function(self, frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> FunctionInfo:
        """The function that a `def` or lambda inside a function makes."""
        found = self.nested.get(id(node))
        if not isinstance(found, FunctionInfo):
            name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
            found = self.nested[id(node)] = FunctionInfo(name, node, frame.module, None)
        return found

    def nested_class(self, frame: Frame, node: ast.ClassDef) -> ClassInfo:
        """The class that a `class` inside a function makes."""
        found = self.nested.get(id(node))
        if not isinstance(found, ClassInfo):
            # What a traced function binds is the tracing's: nothing is known of it by its text alone.
            known = None if frame.traced else local_class(frame.module, node)
            found = self.nested[id(node)] = ClassInfo(node, frame.module) if known is None else known
        return found


def _rebinds(module: Module, bound: list[Import | FunctionInfo | ClassInfo | ast.expr | None]) -> bool:
    """Whether the last of several that a name is bound to is sure to be the one that it has in the end."""
    if len(bound) < 2 or not isinstance(bound[-1], ast.expr):
        return False
    return any(isinstance(one, ast.Assign) and one.value is bound[-1] for one in module.body)


def _decorates(node: ast.expr, name: str) -> bool:
    """Whether an expression that is given to the name of a class decorates it: `Net = register(Net)`. As of `@register`, the
    result is taken to be the class."""
    return isinstance(node, ast.Call) and bool(node.args) and dotted(node.args[0]) == name


def _is_plain(value: Value) -> bool:
    """Whether a value is the same for all that have it, and nobody can write to it."""
    if type(value) is Function:
        return value.bound is None and value.closure is None
    return type(value) in _PLAIN or value is TOP


_PLAIN: Final = frozenset({Class, Const, External, ModuleRef, Static})
# The expressions whose values runs may share, and the functions of libraries whose results they may.
_SHARED: Final = frozenset({ast.Call, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.DictComp, ast.ListComp})
_MAKE_TABLES: Final = frozenset({"collections.OrderedDict", "builtins.dict", "builtins.list", "builtins.tuple"})


def _is_table(value: Value) -> bool:
    """Whether a value is a container of plain values, or of such containers."""
    if isinstance(value, (Sequence, Mapping)):
        return all(map(_is_table, held(value)))
    return _is_plain(value)


@dataclass(frozen=True, slots=True)
class Shared:
    """What all runs share of an expression at the top level of a file: its value, None where there is none; the files that
    anything was evaluated of for it; and whether it is a table, of which each run has a copy."""

    node: ast.expr
    value: Value | None
    reached: frozenset[Module] = frozenset()
    table: bool = False


class Jump(NamedTuple):
    """A `break` or, `again`, a `continue`, and what is known there."""

    env: Environment
    again: bool


def _used_as_number(fact: Fact) -> Value:
    """What a fact says is used as a Python number; unknown where it says nothing of the kind."""
    if type(fact) is Indexed:
        return fact.index
    return fact.value if type(fact) is Converted or type(fact) is SizeGiven else TOP


class Frame:
    """One activation of a function (or of a module's top level)."""

    __slots__ = (
        "always",
        "cls",
        "depth",
        "env",
        "function",
        "globals",
        "loops",
        "module",
        "nonlocals",
        "off",
        "outer",
        "path",
        "raised",
        "returns",
        "run",
        "self_value",
        "steps",
        "summary",
        "traced",
        "training",
        "unpacked",
        "unreachable",
        "values",
        "yields",
    )

    def __init__(
        self,
        run: AnalysisState,
        module: Module,
        function: FunctionInfo | None,
        outer: Frame | None = None,
        env: Environment | None = None,
    ) -> None:
        self.run = run
        self.module = module
        self.function = function
        self.outer = outer
        run.reached.add(module.file)
        # Where values are recorded, if they are.
        self.values = run.values if run.recorded is not None and module.file is run.recorded else None
        self.env = Environment() if env is None else env
        self.summary = Summary(function)
        self.returns: Value | None = None
        self.yields: Value | None = None
        self.depth = 0
        # Whether the entry calls it on every path.
        self.always = True
        self.unreachable = False
        self.traced = True
        # Within what only training mode runs: `self.training and …`, `if self.training: …`, and what is called there.
        self.training = 0
        # Within an operand that is not evaluated where an option is as it is by default: `self.check and …`.
        self.off = 0
        self.cls: ClassInfo | None = None
        self.self_value: Value | None = None
        # What is known where each loop around is left or begun again.
        self.loops: list[list[Jump]] = []
        self.steps = 0
        # What is assigned to a fixed number of targets: it gives so many elements, or eager raises.
        self.unpacked: ast.AST | None = None
        # How comparisons of sizes came out on the way to here.
        self.path: list[Answer] = []
        # What raises where the check of a type that is evaluated says no.
        self.raised: ast.AST | None = None
        self.globals: set[str] | None = None
        self.nonlocals: frozenset[str] | None = None

    def consume_fuel(self) -> None:
        """Count one step of work.

        Raises:
            FuelExhausted: this run of the function, or the entry at hand, has had its share.
        """
        self.steps += 1
        if self.steps > MAX_STEPS and self.steps > STEPS_A_LINE * self._lines():
            raise FuelExhausted(self)
        run = self.run
        run.fuel -= 1
        if run.fuel < 0:
            raise FuelExhausted
        if not run.fuel % BETWEEN_LOOKS and run.interrupt is not None:
            run.interrupted = True
            run.interrupt()
            run.interrupted = False

    def _lines(self) -> int:
        node = None if self.function is None else self.function.node
        return 0 if node is None else (node.end_lineno or node.lineno) - node.lineno

    @property
    def optional(self) -> bool:
        """Whether what stands here is on a path that tracing may not take: in a branch, or behind one that returns."""
        return self.depth > 0 or self.returns is not None

    @property
    def branched(self) -> bool:
        """Whether what stands here is on a path that tracing may not take even if all loops run."""
        return self.depth > len(self.loops) or self.returns is not None

    def emit(self, fact: Fact) -> None:
        """Remember a fact, unless this code runs before tracing (a constructor, a module's top level).

        What code that is not analyzed returned is taken for a number where one is needed.
        """
        if self.traced and not is_returned(_used_as_number(fact)):
            self.summary.facts.append(fact)
            if self.training:
                self.summary.trained.add(fact)
            if self.optional:
                self.summary.optional.add(fact)
                if not self.branched:
                    self.summary.looped.add(fact)
            if self.off:
                self.summary.off.add(fact)

    def emit_call(
        self,
        node: ast.AST,
        name: str,
        args: Iterable[Value] = (),
        keywords: dict[str, Value] | None = None,
        result: Value | None = None,
    ) -> None:
        """Remember the call of a library's function by its qualified name."""
        if self.traced:
            given = tuple((keywords or {}).items())
            self.emit(Called(self.site(node), name, tuple(args), given, result, optional=self.optional))

    def site(self, node: ast.AST) -> Site:
        """The place of a node of this frame's module."""
        return Site(self.module.file, node)

    def lookup(self, name: str) -> Value | None:
        """A name as the function sees it; None if nothing binds it."""
        value = self.env.get(name)
        if value is not None:
            return value
        frame = self.outer
        while frame is not None:
            value = frame.env.get(name)
            if value is not None:
                return value
            frame = frame.outer
        return self.run.module_value(self.module, name)


def evaluate(frame: Frame, node: ast.AST) -> Value:
    """The value of an expression, and what happens on the way to it."""
    handler = EVALUATE.get(node.__class__)
    value = TOP if handler is None else handler(frame, node)
    if frame.values is not None:
        record(frame.values, node, value)
    return value


def record(values: dict[ast.AST, Value | list[Value]], node: ast.AST, value: Value) -> None:
    """Note what a node evaluated to, besides what it evaluated to before."""
    known = values.get(node)
    if known is None:
        values[node] = value
    elif not isinstance(known, list):
        if known is not value:
            values[node] = [known, value]
    elif known[-1] is not value:
        known.append(value)
        if len(known) > MAX_UNJOINED:
            values[node] = join_all(known)


def _raising(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a block that ends in a `raise` from which on there is no way around that: the `raise` alone.

    Before tracing nothing is left of what is worked out for its message (the option that is most like a misspelt one).
    """
    first = len(body) - 1
    while first and not any(isinstance(node, _WAYS_OUT) for node in ast.walk(body[first - 1])):
        first -= 1
    return [*body[:first], body[-1]]


def execute(frame: Frame, body: list[ast.stmt]) -> None:
    """Run statements until one leaves the block."""
    if not frame.traced and body and body[-1].__class__ is ast.Raise:
        body = _raising(body)
    for node in body:
        handler = EXECUTE.get(node.__class__)
        if handler is not None:
            frame.consume_fuel()
            handler(frame, node)
            if frame.unreachable:
                return
