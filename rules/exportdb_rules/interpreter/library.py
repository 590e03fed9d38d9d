"""Functions of libraries, by qualified name: torch and its neighbours, math, random, time, copy, functools."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Built, Converted, DataRead, NumpyAsked, TruthTested
from exportdb_rules.interpreter.autocast import AUTOCAST, lowers
from exportdb_rules.interpreter.builtin import call_builtin
from exportdb_rules.interpreter.calls import call, escape
from exportdb_rules.interpreter.custom_operators import call_by_name
from exportdb_rules.interpreter.higher_order import call_higher_order, run_scan_operator
from exportdb_rules.interpreter.iteration import elements, fresh_like
from exportdb_rules.interpreter.modules import construct_module
from exportdb_rules.interpreter.narrowing import truth
from exportdb_rules.interpreter.numpy_provenance import ask_kept, is_kept, made
from exportdb_rules.interpreter.operators import OPERATIONS, binary, compare
from exportdb_rules.interpreter.packed_sequences import pack, pad
from exportdb_rules.interpreter.tensors import call_operator
from exportdb_rules.interpreter.weights import reads_weights
from exportdb_rules.lattice import Mapping, Sequence, choices, join_all, tensors
from exportdb_rules.torch_api import lookup
from exportdb_rules.values import (
    ANYWHERE,
    BUFFER,
    FALSE,
    FRESH,
    NONE,
    NUMPY,
    PARAMETER,
    STATIC,
    STATIC_BOOL,
    STATIC_FLOAT,
    STATIC_INT,
    TOP,
    TRUE,
    Const,
    Evidence,
    External,
    Function,
    Instance,
    Partial,
    Static,
    Sym,
    Tensor,
    TraceTime,
    Value,
)

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import Frame

# What these answer while export traces; before torch 2.7 `torch.compiler.is_exporting` did not exist.
_TRACING: Final = {
    "torch.compiler.is_exporting": TRUE,
    "torch.compiler.is_compiling": TRUE,
    "torch.compiler.is_dynamo_compiling": STATIC_BOOL,
    "torch._dynamo.is_compiling": TRUE,
    "torch._dynamo.external_utils.is_compiling": TRUE,
    "torch.compiler._is_exporting_flag": TRUE,
    "torch._utils.is_compiling": TRUE,
    "torch.jit.is_tracing": FALSE,
    "torch.jit.is_scripting": FALSE,
    "torch._C._get_tracing_state": NONE,
    "torch.onnx.is_in_onnx_export": FALSE,
    "torch.fx._symbolic_trace.is_fx_tracing": FALSE,
    "torch.is_grad_enabled": STATIC_BOOL,
    "torch.is_autocast_enabled": STATIC_BOOL,
    "torch.cuda.is_available": STATIC_BOOL,
}
_TRACE_TIME: Final = {
    "time.time": "float", "time.perf_counter": "float", "time.monotonic": "float", "time.time_ns": "int",
    "time.process_time": "float", "datetime.datetime.now": "", "os.getpid": "int", "uuid.uuid4": "", "os.urandom": "bytes",
}  # fmt: skip
_RANDOM: Final = ("random.", "numpy.random.")
_FLOAT_RANDOM: Final = frozenset(
    {"random", "uniform", "gauss", "normalvariate", "betavariate", "normal", "rand", "randn"}
)
_EINOPS: Final = frozenset({"rearrange", "reduce", "repeat", "einsum", "asnumpy"})
_MODULE_ALIASES: Final = ("torch.nn.modules.", "torch.nn.parameter.")
_PACKING: Final = frozenset(
    f"torch.nn.utils.rnn.{name}" for name in ("pack_padded_sequence", "pack_sequence", "PackedSequence")
)
# What strict export traces for symbols, and not for the numbers that sizes are where no dimension is dynamic.
_SYMBOLIC: Final = frozenset(f"torch.sym_{name}" for name in ("ite", "not", "sqrt", "sum"))
_LOCKS: Final = frozenset(
    f"{package}.{name}"
    for package in ("threading", "multiprocessing")
    for name in ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore")
)
# What makes a module of TorchScript of one of Python.
_SCRIPTING: Final = frozenset(
    {"torch.jit.script", "torch.jit.trace", "torch.jit.freeze", "torch.jit.optimize_for_inference"}
)
_HIGHER_ORDER: Final = {
    "torch.cond": "cond", "torch._higher_order_ops.cond": "cond", "torch._higher_order_ops.cond.cond": "cond",
    "functorch.experimental.control_flow.cond": "cond", "torch._higher_order_ops.while_loop": "while_loop",
    "torch._higher_order_ops.map": "map", "torch._higher_order_ops.map.map": "map",
    "torch._higher_order_ops.scan": "scan", "torch._higher_order_ops.scan.scan": "scan",
    "torch._higher_order_ops.associative_scan": "scan", "torch._higher_order_ops.while_loop.while_loop": "while_loop",
    "functorch.experimental.control_flow.map": "map",
}  # fmt: skip


def call_library(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A call of something outside the project."""
    if name.startswith("builtins."):
        return call_builtin(frame, node, name[9:], args, keywords)
    if name.startswith(("torch.", "functorch.")):
        return _torch(frame, node, name, args, keywords)
    if name.startswith("math."):
        return _math(frame, node, name[5:], args)
    package = name.partition(".")[0]
    if name in _TRACE_TIME:
        frame.emit_call(node, name, args, keywords)
        return TraceTime(name, _TRACE_TIME[name], frame.site(node)) if frame.traced else STATIC
    if name.startswith(_RANDOM) or package == "random":
        return _random(frame, node, name, args, keywords)
    if package in ("numpy", "scipy"):
        return _numpy(frame, node, name, args, keywords)
    if package == "einops":
        return _einops(frame, node, name, args, keywords)
    if package == "functools" and name.endswith(("partial", "partialmethod")):
        return Partial(args[0], args[1:], keywords) if args else TOP
    if package == "functools" and name.endswith("reduce") and len(args) >= 2:
        return _reduce(frame, node, args)
    if name == "types.MethodType" and len(args) == 2:
        function = args[0]
        if type(function) is Function:
            return Function(function.info, bound=args[1], closure=function.closure, owner=function.owner)
        return Partial(function, [args[1]], {})
    if package == "copy":
        return _copy(frame, node, name, args)
    if package == "itertools":
        return _itertools(frame, node, name, args)
    if name.startswith(_NAMED_TUPLE):
        return _tuple_of(name, args, keywords)
    if package in ("collections", "typing", "typing_extensions"):
        return _collections(frame, name, args, keywords)
    if package == "operator":
        return _operator(frame, node, name[9:], args)
    if package == "warnings" or package == "logging":
        frame.emit_call(node, name, args, keywords)
        return NONE
    frame.emit_call(node, name, args, keywords)
    if name in _LOCKS or name in ("contextlib.ExitStack", "contextlib.nullcontext"):
        return Instance(None, name, identity=(name, id(node)))
    if package == "tqdm" and args:
        return call_builtin(frame, node, "range", args, {}) if name.endswith("trange") else args[0]
    escape(args, keywords)
    return TOP


def _torch(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if name in AUTOCAST:
        return Instance(None, AUTOCAST[0], identity=(name, id(node))) if lowers(name, args, keywords) else TOP
    known = _TRACING.get(name)
    if known is not None:
        if known is TRUE and frame.traced:
            frame.summary.reads_is_compiling = True
        return known if frame.traced else STATIC
    for alias in _MODULE_ALIASES:
        if name.startswith(alias):
            name = "torch.nn." + name.rpartition(".")[2]
    operator = _HIGHER_ORDER.get(name)
    if operator is not None:
        return call_higher_order(frame, node, name, operator, args, keywords)
    if name in ("torch.nn.Parameter", "torch.nn.Buffer"):
        if frame.traced:
            frame.emit(Built(frame.site(node), name))
        given = tensors(args[0]) if args else []
        origin = PARAMETER if name.endswith("Parameter") else BUFFER
        return Tensor(
            origin,
            alias=True,
            fixed=True,
            dtype=given[0].dtype if given else None,
            rank=given[0].rank if given else None,
            dims=given[0].dims if given else None,
        )
    if name.startswith("torch.nn.init."):
        return _initialised(name, args)
    if name.startswith("torch.nn.") and name[9:10].isupper():
        module = construct_module(
            frame, name, args, keywords, (id(node), tuple([v.key() for v in (*args, *keywords.values())]))
        )
        if frame.traced:
            frame.emit(Built(frame.site(node), name, module))
        return module
    if name.startswith("torch.distributions."):
        return _distribution(frame, node, name, args, keywords)
    if name.startswith(
        ("torch._check", "torch._assert", "torch.sym_", "torch._constrain", "torch._dynamo", "torch.export")
    ):
        return _checks(frame, node, name, args, keywords)
    if name.startswith("torch.ops.") and name.count(".") >= 3:
        result = call_by_name(frame, node, name)
        return run_scan_operator(frame, node, args) if name == "torch.ops.higher_order.scan" else result
    if name in _PACKING:
        return pack(frame, node, args, keywords)
    if name == "torch.nn.utils.rnn.pad_packed_sequence" and args:
        return pad(frame, node, args[0])
    if name == "torch.vmap" or name.startswith("torch.func."):
        if name.endswith("vmap") and args and reads_weights(frame, args[0]):
            frame.emit_call(node, "torch.vmap()", args, keywords)
        frame.emit_call(node, name, args, keywords)
        return TOP
    if name in ("torch.device", "torch.dtype", "torch.finfo", "torch.iinfo", "torch.Generator"):
        return STATIC
    if name == "torch.Size":
        return args[0] if args else Sequence("tuple", [])
    if name in ("torch.autograd.grad", "torch.get_rng_state", "torch.set_rng_state", "torch.manual_seed"):
        frame.emit_call(node, name, args, keywords)
        return Sequence("tuple", None, Tensor(FRESH)) if name == "torch.autograd.grad" else Tensor(FRESH)
    if name in ("torch.utils.checkpoint.checkpoint", "torch.nn.parallel.data_parallel") and args:
        frame.emit_call(node, name, args, keywords)
        return call(frame, node, args[0], args[1:], {})
    if name == "torch.jit.isinstance" and len(args) == 2:
        return call_builtin(frame, node, "isinstance", args, {})
    if name == "torch.jit.annotate" and len(args) == 2:
        return args[1]
    if name in ("torch.autograd.Variable", "torch.autograd.variable.Variable"):
        frame.emit_call(node, "torch.autograd.Variable", args, keywords)
        return args[0] if args else TOP
    if name in _SCRIPTING and args and any(type(c) is Instance for c in choices(args[0])):
        return Instance(None, "torch.jit.script", identity=("scripted", id(node)))
    if name.startswith("torch.jit.") or name in ("torch.no_grad", "torch.enable_grad", "torch.inference_mode"):
        return args[0] if args and name.startswith("torch.jit.") else TOP
    if name in ("torch.Tensor", "torch.FloatTensor", "torch.LongTensor", "torch.BoolTensor"):
        return Tensor(FRESH, dtype={"Long": "int64", "Bool": "bool"}.get(name[6:10], "default"))
    api = lookup(name)
    if api is None:
        frame.emit_call(node, name, args, keywords)
        escape(args, keywords)
        return TOP
    return call_operator(frame, node, name, api, args, keywords)


def _initialised(name: str, args: list[Value]) -> Value:
    """A function of torch.nn.init: those that fill a tensor return it, the others tell numbers of it."""
    short = name.rpartition(".")[2]
    if short.startswith("_calculate_fan"):
        return Sequence("tuple", [STATIC_INT, STATIC_INT])
    if "calculate" in short:
        return STATIC_INT if short.endswith("fan") else STATIC_FLOAT
    return args[0] if args else TOP


def _distribution(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if name.rpartition(".")[2][:1].isupper():
        validated(frame, node, args, keywords)
    return Instance(None, name, identity=("distribution", name))


def validated(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> None:
    """A distribution is made: unless told not to, it asks each constraint on its arguments for its truth."""
    validate = keywords.get("validate_args")
    if type(validate) is Const and validate.value is False:
        return
    for value in (*args, *keywords.values()):
        for choice in choices(value):
            if type(choice) is Tensor and choice.origin != PARAMETER and not choice.constant:
                frame.emit(TruthTested(frame.site(node), choice, "validation", node))
                return
    if any(value is TOP for value in (*args, *keywords.values())):
        # What is not known is a tensor all the same: a distribution over plain numbers is seldom made while tracing.
        frame.emit(TruthTested(frame.site(node), Tensor(ANYWHERE, evidence=Evidence.DERIVED), "validation", node))


def _checks(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    if name == "torch._assert" and args and isinstance(node, ast.Call):
        truth(frame, node.args[0] if node.args else node, args[0], "assert", node)
        return NONE
    if name == "torch._check" or name == "torch._check_is_size":
        return NONE
    if name in _SYMBOLIC and all(map(_is_plain, args)):
        frame.emit_call(node, "torch.sym_ite()", args, keywords)
    if name.startswith("torch.sym_") and args:
        return args[0]
    return NONE if name.startswith(("torch._check", "torch._assert")) else TOP


# Functions of one number whose result has no bound, nor has the time that it takes.
_FACTORIALS: Final = frozenset({"factorial", "perm"})


def _math(frame: Frame, node: ast.AST, name: str, args: list[Value]) -> Value:
    results: list[Value] = []
    for choice in [c for a in args for c in choices(a)]:
        kind = type(choice)
        if choice is NUMPY:
            frame.emit(NumpyAsked(frame.site(node), "math"))
        ask_kept(frame, node, "range", choice)
        if kind is Tensor and not choice.constant:  # type: ignore[attr-defined]
            frame.emit(Converted(frame.site(node), "math", choice))  # type: ignore[arg-type]
            kind_name = "int" if name in ("floor", "ceil", "trunc") else "float"
            evidence = max(Evidence.DERIVED, choice.evidence)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
            results.append(Sym(kind_name, backed=False, site=frame.site(node), evidence=evidence))
        elif kind is Sym:
            target = name if name in ("floor", "ceil", "trunc", "prod") else "math"
            if name != "prod":
                frame.emit(Converted(frame.site(node), target, choice))  # type: ignore[arg-type]
            type_ = "int" if name in ("floor", "ceil", "trunc", "prod", "gcd") else "float"
            results.append(Sym(type_, backed=choice.backed, site=choice.site, low=choice.low, size=choice.size, evidence=choice.evidence))  # type: ignore[attr-defined]  # fmt: skip
        elif kind is TraceTime:
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


def _random(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    short = name.rpartition(".")[2]
    if not frame.traced:
        return STATIC
    if short in ("Random", "seed", "default_rng", "RandomState"):
        return TOP
    if short in ("choice", "sample", "choices", "shuffle", "permutation"):
        return TOP
    return TraceTime(name, "float" if short in _FLOAT_RANDOM else "int", frame.site(node))


_UFUNC_METHODS: Final = frozenset({"reduce", "accumulate", "reduceat", "outer", "at"})


def _is_plain(value: Value) -> bool:
    if type(value) is Sequence:
        return value.items is not None and all(_is_plain(item) for item in value.items)
    return all(type(c) in (Const, Static) for c in choices(value))


def _numpy(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    for value in args:
        for choice in choices(value):
            if type(choice) is Tensor:
                frame.emit(DataRead(frame.site(node), "numpy-call", choice))
                return fresh_like(choice).changed(array=True)  # strict export goes on with a tensor
            if type(choice) is Sym:
                frame.emit(Converted(frame.site(node), "math", choice))
                return TOP
    if frame.traced and name.rpartition(".")[2] in _UFUNC_METHODS and name.count(".") == 2:
        frame.emit(NumpyAsked(frame.site(node), "ufunc"))
    given = (*args, *keywords.values())
    if frame.traced and not any(map(is_kept, args)):
        return NUMPY if all(map(_is_plain, given)) else TOP
    return made(name, args, keywords) if all(_is_plain(a) or type(a) is External for a in given) else TOP


def _einops(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    short = name.rpartition(".")[2]
    inputs = [t for a in args for t in tensors(a)]
    if not inputs and args and type(args[0]) is Sequence:
        inputs = tensors(args[0].any())
    if short in _EINOPS and inputs:
        return fresh_like(inputs[0], alias=short == "rearrange", origin=inputs[0].origin, dtype=inputs[0].dtype)
    if short == "pack" and args:
        inputs = tensors(args[0].any()) if type(args[0]) is Sequence else []
        packed = fresh_like(inputs[0]) if inputs else TOP
        return Sequence("tuple", [packed, STATIC])
    if short == "unpack" and inputs:
        return Sequence("list", None, fresh_like(inputs[0], alias=True, origin=inputs[0].origin))
    if short == "Rearrange" or short == "Reduce":
        return Instance(None, "torch.nn.Linear", identity=("einops", id(node)), state=True)
    return TOP


def _reduce(frame: Frame, node: ast.AST, args: list[Value]) -> Value:
    found = elements(frame, node, args[1])
    element = join_all(found) if isinstance(found, list) else found
    start = args[2] if len(args) > 2 else element
    return call(frame, node, args[0], [start, element], {})


def _operator(frame: Frame, node: ast.AST, name: str, args: list[Value]) -> Value:
    """A function of the module `operator`: what it stands for, of two operands."""
    # `operator.and_`, and `operator.iadd`, which is what `+=` calls
    known = OPERATIONS.get(name.removesuffix("_")) or OPERATIONS.get(name.removeprefix("i"))
    if known is None or len(args) != 2:
        return TOP
    if isinstance(known, ast.cmpop):
        return compare(frame, node, known, args[0], args[1])
    return binary(frame, node, known, args[0], args[1])


def _copy(frame: Frame, node: ast.AST, name: str, args: list[Value]) -> Value:
    deep = name.endswith("deepcopy")
    copies: list[Value] = []
    for choice in choices(args[0]) if args else ():
        if deep and type(choice) is Instance and frame.traced:
            frame.emit_call(node, name, [choice])
        if type(choice) is Tensor:
            frame.emit(DataRead(frame.site(node), "deepcopy" if deep else "copy", choice))
            copies.append(fresh_like(choice, dtype=choice.dtype, shape=choice.shape) if deep else choice)
        elif type(choice) is Sequence:
            items = None if choice.items is None else list(choice.items)
            copies.append(
                Sequence(
                    choice.type, items, choice.element, depth=frame.depth, length=choice.length, prefix=choice.prefix
                )
            )
        elif type(choice) is Mapping:
            copies.append(Mapping(dict(choice.items), choice.element))
        else:
            copies.append(choice)
    return join_all(copies)


def _itertools(frame: Frame, node: ast.AST, name: str, args: list[Value]) -> Value:
    short = name.rpartition(".")[2]
    columns = [elements(frame, node, a) for a in args]
    joined = [join_all(c) if isinstance(c, list) else c for c in columns]
    if short in ("product", "zip_longest"):
        return Sequence("iterator", None, Sequence("tuple", joined))
    if short == "chain":
        return Sequence("iterator", None, join_all(joined))
    if short in ("permutations", "combinations") and joined:
        return Sequence("iterator", None, Sequence("tuple", None, joined[0]))
    return Sequence("iterator", None, TOP)


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


def _tuple_of(name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """An object of a class that `namedtuple` made: known by its fields, and by their order."""
    fields = name.removeprefix(_NAMED_TUPLE).split(",")
    given = {**dict(zip(fields, args, strict=False)), **keywords}
    held = {field: given.get(field, TOP) for field in fields}
    result = Instance(None, identity=(name, tuple([value.key() for value in held.values()])))
    result.attributes = {**held, "\0fields": Sequence("tuple", [Const(field) for field in fields])}
    return result


def _collections(frame: Frame, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    short = name.rpartition(".")[2]
    if short == "OrderedDict":
        if args and type(args[0]) is Sequence and args[0].items is not None:
            result = Mapping()
            for pair in args[0].items:
                if type(pair) is Sequence and pair.items and len(pair.items) == 2 and type(pair.items[0]) is Const:
                    result.put(pair.items[0].value, pair.items[1])
                else:
                    result.element = TOP
            return result
        return Mapping() if not args else Mapping({}, TOP)
    if short == "defaultdict":
        return Mapping({}, TOP)
    if short == "deque":
        return Sequence("list", [] if not args else None, TOP if args else None, depth=frame.depth)
    if short in ("namedtuple", "NamedTuple"):
        return _named_tuple(args) if short == "namedtuple" else TOP
    if short == "cast" and len(args) == 2:
        return args[1]
    return TOP
