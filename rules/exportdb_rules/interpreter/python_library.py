"""Models of Python's standard library: math, random, time, copy, functools, itertools, collections, operator."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Converted, DataRead, NumpyAsked
from exportdb_rules.interpreter.builtin import call_builtin, order_tested
from exportdb_rules.interpreter.construct import copied_object
from exportdb_rules.interpreter.dispatch import call, call_method
from exportdb_rules.interpreter.iteration import elements, fresh_like
from exportdb_rules.interpreter.library import call_unmodelled, models, models_beginning
from exportdb_rules.interpreter.membership import ask_for_hash
from exportdb_rules.interpreter.narrowing import evaluate_quietly, truth
from exportdb_rules.interpreter.numpy_provenance import ask_kept
from exportdb_rules.interpreter.operators import OPERATIONS, binary, compare, fraction_of_size
from exportdb_rules.lattice import Mapping, Sequence, choices, contained, join_all
from exportdb_rules.terms import Term
from exportdb_rules.values import (
    FALSE,
    NONE,
    NUMPY,
    STATIC,
    STATIC_BOOL,
    STATIC_FLOAT,
    STATIC_INT,
    TOP,
    TRUE,
    Class,
    Const,
    Evidence,
    External,
    Function,
    Instance,
    ModuleRef,
    Partial,
    Sym,
    Tensor,
    TraceTime,
    Value,
)

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import Frame

_TRACE_TIME: Final = {
    "time.time": "float", "time.perf_counter": "float", "time.monotonic": "float", "time.time_ns": "int",
    "time.process_time": "float", "datetime.datetime.now": "", "os.getpid": "int", "uuid.uuid4": "", "os.urandom": "bytes",
}  # fmt: skip
_LOCKS: Final = frozenset(
    f"{package}.{name}"
    for package in ("threading", "multiprocessing")
    for name in ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore")
)


@models_beginning("builtins.")
def _builtin(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return call_builtin(frame, node, name.removeprefix("builtins."), args, keywords)


@models(*_TRACE_TIME)
def _trace_time(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    return TraceTime(name, _TRACE_TIME[name], frame.site(node)) if frame.traced else STATIC


# Functions of one number whose result has no bound, nor has the time that it takes.
_FACTORIALS: Final = frozenset({"factorial", "perm"})


# Of a size these are the numbers that they are of the example's: no mode keeps a symbol.
_SPECIALIZING = frozenset({"log", "log10", "log1p", "log2", "exp", "expm1", "isqrt"})


# They make a whole number of one, which stays a symbol.
_ROUNDING: Final = ("floor", "ceil", "trunc")


def _rounded(frame: Frame, node: ast.AST, name: str, value: Sym) -> Term | None:
    """What is left of a size, or of a part of one, in terms of the sizes of the inputs."""
    if name != "ceil" or value.term is None or not value.term.divides:
        return value.term if value.term is None or value.type == "int" else value.term.rounded()
    given = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if not isinstance(given, ast.BinOp):
        return None
    parts = fraction_of_size(given.op, evaluate_quietly(frame, given.left), evaluate_quietly(frame, given.right))
    return None if parts is None else (parts[0] + Term.number(parts[1] - 1)).quotient(parts[1]).rounded()


@models_beginning("math.")
def _math(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = name.removeprefix("math.")
    results: list[Value] = []
    for choice in [c for a in args for c in choices(a)]:
        if choice is NUMPY:
            frame.emit(NumpyAsked(frame.site(node), "math"))
        ask_kept(frame, node, "range", choice)
        if type(choice) is Tensor and not choice.constant:
            frame.emit(Converted(frame.site(node), "math", choice))
            kind_name = "int" if name in ("floor", "ceil", "trunc") else "float"
            evidence = max(Evidence.DERIVED, choice.evidence)
            results.append(Sym(kind_name, backed=False, site=frame.site(node), evidence=evidence))
        elif type(choice) is Sym:
            if name != "prod" and not (choice.backed and name in _ROUNDING):
                target = name if name in _ROUNDING else "math"
                frame.emit(Converted(frame.site(node), target, choice))
            if choice.backed and name in _SPECIALIZING:
                results.append(STATIC_INT if name == "isqrt" else STATIC_FLOAT)
                continue
            type_ = "int" if name in (*_ROUNDING, "prod", "gcd") else "float"
            term = _rounded(frame, node, name, choice) if choice.backed and name in _ROUNDING else None
            results.append(Sym(type_, backed=choice.backed, site=choice.site, low=choice.low, size=choice.size, evidence=choice.evidence, term=term))  # fmt: skip
        elif type(choice) is TraceTime:
            results.append(choice)
        elif choice is TOP:
            results.append(TOP)
    symbols = [r for r in results if type(r) is Sym]
    if symbols:
        return next((s for s in symbols if not s.backed), symbols[0])
    if results:
        return join_all(results)
    if len(args) == 1 and type(args[0]) is Sequence and name == "prod":
        return _product(args[0])
    if len(args) == 1 and type(args[0]) is Const and isinstance(args[0].value, (int, float)):
        if name in _FACTORIALS:
            return STATIC_INT
        try:
            return Const(getattr(math, name)(args[0].value))
        except (AttributeError, ValueError, OverflowError, TypeError):
            return STATIC_FLOAT
    return STATIC_INT if name in ("floor", "ceil", "gcd", "prod", "trunc") else STATIC_FLOAT


def _product(value: Sequence) -> Value:
    parts = value.items if value.items is not None else [value.any()]
    symbols = [c for p in parts for c in choices(p) if type(c) is Sym]
    return next((s for s in symbols if not s.backed), symbols[0]) if symbols else STATIC_INT


@models("inspect.isfunction", "inspect.isclass")
def _inspected(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """Whether something is a function of the project, or a class."""
    frame.emit_call(node, name, args, keywords)
    asked = Class if name == "inspect.isclass" else Function
    kinds = {type(choice) for choice in choices(args[0])} if args else set[type[Value]]()
    if kinds == {asked}:
        return TRUE
    return FALSE if kinds and kinds <= {Class, Function, Instance, Const, Tensor, Sequence} - {asked} else STATIC_BOOL


@models("functools.partial", "functools.partialmethod")
def _partial(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return Partial(args[0], args[1:], keywords) if args else TOP


@models("functools.reduce")
def _reduce(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) < 2:
        return call_unmodelled(frame, node, name, args, keywords)
    found = elements(frame, node, args[1])
    element = join_all(found) if isinstance(found, list) else found
    start = args[2] if len(args) > 2 else element
    return call(frame, node, args[0], [start, element], {})


@models("types.SimpleNamespace", "argparse.Namespace")
def _namespace(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    result = Instance(None, identity=(name, id(node), tuple([value.key() for value in keywords.values()])))
    result.open = bool(args) or "**" in keywords
    result.attributes = {field: value for field, value in keywords.items() if field != "**"}
    return result


@models("types.MethodType")
def _method_type(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) != 2:
        return call_unmodelled(frame, node, name, args, keywords)
    function = args[0]
    if type(function) is Function:
        return Function(function.info, bound=args[1], closure=function.closure, owner=function.owner)
    return Partial(function, [args[1]], {})


@models_beginning("operator.")
def _operator(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A function of the module `operator`: what it stands for, of two operands."""
    name = name.removeprefix("operator.")
    if name in ("truth", "not_") and args:
        answer = call_builtin(frame, node, "bool", args, keywords)
        return Const(not answer.value) if name == "not_" and type(answer) is Const else answer
    # `operator.and_`, and `operator.iadd`, which is what `+=` calls
    known = OPERATIONS.get(name.removesuffix("_")) or OPERATIONS.get(name.removeprefix("i"))
    if known is None or len(args) != 2:
        return TOP
    if isinstance(known, ast.cmpop):
        return compare(frame, node, known, args[0], args[1])
    return binary(frame, node, known, args[0], args[1])


@models("pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath")
def _path(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    return External("pathlib.Path")  # of which no more is asked than which methods are called


def _tensor_in(container: Value) -> Tensor | None:
    """A tensor of the graph that a container holds, or a container in it."""
    for value in contained(container):
        for choice in choices(value):
            found = choice if type(choice) is Tensor and not choice.array else _tensor_in(choice)
            if found is not None:
                return found
    return None


@models("dataclasses.asdict", "dataclasses.astuple")
def _as_container(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """Each field is copied as `copy.deepcopy` does it."""
    frame.emit_call(node, name, args, keywords)
    for choice in choices(args[0]) if args else ():
        fields = choice.attributes if type(choice) is Instance else {}
        copied = _tensor_in(Sequence("list", [*fields.values()]))
        if copied is not None:
            frame.emit(DataRead(frame.site(node), "deepcopy of container", copied))
    return TOP


@models_beginning("copy.")
def _copy(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    deep = name.endswith("deepcopy")
    copies: list[Value] = []
    for choice in choices(args[0]) if args else ():
        if type(choice) is Instance or (not deep and type(choice) in (Sequence, Mapping)):
            frame.emit_call(node, name, [choice])
        if type(choice) is Tensor:
            frame.emit(DataRead(frame.site(node), "deepcopy" if deep else "copy", choice))
            copies.append(fresh_like(choice, dtype=choice.dtype, shape=choice.shape) if deep else choice)
        elif deep and (copied := _tensor_in(choice)) is not None:
            frame.emit(DataRead(frame.site(node), "deepcopy of container", copied))
            copies.append(choice)
        elif type(choice) is Sequence:
            items = None if choice.items is None else list(choice.items)
            copies.append(
                Sequence(
                    choice.type, items, choice.element, depth=frame.depth, length=choice.length, prefix=choice.prefix
                )
            )
        elif type(choice) is Mapping:
            copies.append(Mapping(dict(choice.items), choice.element))
        elif type(choice) is Instance and choice.cls is not None and not choice.cls.is_module(frame.run.project):
            copies.append(copied_object(frame, node, choice))
        else:
            copies.append(choice)
    return join_all(copies)


@models("importlib.import_module")
def _import_module(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A file of the project, or of a package that is followed, by its name."""
    frame.emit_call(node, name, args, keywords)
    texts = [value.value for value in args if type(value) is Const and isinstance(value.value, str)]
    if len(texts) != len(args) or not texts:
        return TOP
    named = texts[0] if not texts[0].startswith(".") else "".join([*texts[1:2], texts[0]])
    project = frame.run.project
    found = project.find_module(named, frame.module) or project.followed_module(named, frame.module)
    return TOP if found is None else ModuleRef(found)


@models_beginning("itertools.")
def _itertools(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    short = name.rpartition(".")[2]
    if short in ("takewhile", "dropwhile", "filterfalse"):
        return call_builtin(frame, node, "filter", args, keywords)
    columns = [elements(frame, node, a) for a in args]
    joined = [join_all(c) if isinstance(c, list) else c for c in columns]
    return Sequence("iterator", None, _of_itertools(frame, node, short, args, joined, keywords))


def _of_itertools(
    frame: Frame, node: ast.AST, short: str, args: list[Value], joined: list[Value], keywords: dict[str, Value]
) -> Value:
    """What an iterator of `itertools` gives, by what its arguments give."""
    if short == "count":
        return STATIC_INT
    if short in ("product", "zip_longest"):
        return Sequence("tuple", joined)
    if not joined:
        return TOP
    first = joined[0]
    if short == "chain":
        return join_all(joined)
    if short in ("permutations", "combinations", "combinations_with_replacement", "batched"):
        return Sequence("tuple", None, first)
    if short == "pairwise":
        return Sequence("tuple", [first, first])
    if short == "compress" and len(joined) > 1:
        truth(frame, node, joined[1], "filter", node)
    if short in ("cycle", "islice", "compress"):
        return first
    if short == "from_iterable":
        inner = elements(frame, node, first)
        return join_all(inner) if isinstance(inner, list) else inner
    if short == "starmap" and len(args) > 1:
        row = elements(frame, node, joined[1])
        return call(frame, node, args[0], row, {}) if isinstance(row, list) else TOP
    if short == "repeat":
        return args[0]
    if short == "accumulate":
        function = keywords.get("func", args[1] if len(args) > 1 else NONE)
        return binary(frame, node, ast.Add(), first, first) if function is NONE else call(frame, node, function, [first, first], {})  # fmt: skip
    if short == "groupby":
        key = keywords.get("key", args[1] if len(args) > 1 else NONE)
        kind = first if key is NONE else call(frame, node, key, [first], {})
        order_tested(frame, node, [kind], "key")
        return Sequence("tuple", [kind, Sequence("iterator", None, first)])
    return TOP


@models("heapq.heappush", "heapq.heappushpop", "heapq.heapreplace")
def _pushed(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """What is pushed on a heap is compared with what is there."""
    frame.emit_call(node, name, args, keywords)
    if len(args) != 2:
        return TOP
    order_tested(frame, node, args[1:], "key")
    call_method(frame, node, args[0], "append", args[1:], {})
    return NONE if name == "heapq.heappush" else args[1]


@models("heapq.nlargest", "heapq.nsmallest", "heapq.heapify", "heapq.merge")
def _heap(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A heap compares what it holds, or what a key gives of it."""
    frame.emit_call(node, name, args, keywords)
    counted = name.startswith("heapq.n")
    if len(args) <= counted:
        return TOP
    found = elements(frame, node, args[counted])
    element = join_all(found) if isinstance(found, list) else found
    key = keywords.get("key")
    order_tested(frame, node, [element if key is None else call(frame, node, key, [element], {})], "key")
    return NONE if name == "heapq.heapify" else Sequence("list", None, element)


# How a class that `collections.namedtuple` made is called here: its fields are behind it.
_NAMED_TUPLE: Final = "collections.namedtuple:"


def _named_tuple(args: list[Value]) -> Value:
    """The class that `namedtuple("Name", "a b")` or `namedtuple("Name", ["a", "b"])` makes."""
    fields = args[1] if len(args) > 1 else TOP
    if type(fields) is Const and isinstance(fields.value, str):
        return External(_NAMED_TUPLE + ",".join(fields.value.replace(",", " ").split()))
    if type(fields) is Sequence and fields.items is not None:
        names = [field.value for field in fields.items if type(field) is Const and isinstance(field.value, str)]
        if len(names) == len(fields.items):
            return External(_NAMED_TUPLE + ",".join(names))
    return TOP


@models_beginning(_NAMED_TUPLE)
def _tuple_of(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """An object of a class that `namedtuple` made: known by its fields, and by their order."""
    fields = name.removeprefix(_NAMED_TUPLE).split(",")
    given = {**dict(zip(fields, args, strict=False)), **keywords}
    held = {field: given.get(field, TOP) for field in fields}
    result = Instance(None, identity=(name, tuple([value.key() for value in held.values()])))
    result.attributes = {**held, "\0fields": Sequence("tuple", [Const(field) for field in fields])}
    return result


@models_beginning("collections.", "typing.", "typing_extensions.")
def _collections(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    short = name.rpartition(".")[2]
    if short == "OrderedDict":
        return call_builtin(frame, node, "dict", args, keywords)
    if short == "Counter" and args:
        for element in found if isinstance(found := elements(frame, node, args[0]), list) else [found]:
            ask_for_hash(frame, node, element)
    if short in ("Counter", "defaultdict"):
        return Mapping({}, STATIC_INT if short == "Counter" else TOP)
    if short == "deque":
        return Sequence("list", [] if not args else None, TOP if args else None, depth=frame.depth)
    if short in ("namedtuple", "NamedTuple"):
        return _named_tuple(args) if short == "namedtuple" else TOP
    if short == "cast" and len(args) == 2:
        return args[1]
    return TOP


@models_beginning("warnings.", "logging.")
def _message(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    return NONE


@models(*_LOCKS, "contextlib.ExitStack", "contextlib.nullcontext", "contextlib.suppress")
def _context(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    return Instance(None, name, identity=(name, id(node)))


@models_beginning("tqdm.")
def _progress(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not args:
        return call_unmodelled(frame, node, name, args, keywords)
    frame.emit_call(node, name, args, keywords)
    return call_builtin(frame, node, "range", args, {}) if name.endswith("trange") else args[0]
