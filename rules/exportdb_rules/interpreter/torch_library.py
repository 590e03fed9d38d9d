"""Models of torch's functions that are more, or other, than an operator: all others are known by `torch_api`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Built, Converted
from exportdb_rules.interpreter.autocast import AUTOCAST, lowers
from exportdb_rules.interpreter.builtin import call_builtin, extreme_size, one_of
from exportdb_rules.interpreter.custom_operators import call_by_name
from exportdb_rules.interpreter.dimensions import of_term
from exportdb_rules.interpreter.dispatch import call, call_bound
from exportdb_rules.interpreter.generators import GENERATOR, made
from exportdb_rules.interpreter.higher_order import run_scan_operator
from exportdb_rules.interpreter.iteration import elements, fresh_like
from exportdb_rules.interpreter.library import call_library, call_unmodelled, models, models_beginning
from exportdb_rules.interpreter.modules import causal_mask, construct_module
from exportdb_rules.interpreter.narrowing import truth
from exportdb_rules.interpreter.numpy_provenance import ask_kept
from exportdb_rules.interpreter.packed_sequences import pack, pad
from exportdb_rules.interpreter.size_arguments import as_large_as_given
from exportdb_rules.interpreter.tensors import call_operator, from_data
from exportdb_rules.lattice import Sequence, choices, contained, is_plain, is_true, join, tensors
from exportdb_rules.torch_api import TYPED_TENSORS, lookup
from exportdb_rules.values import (
    BUFFER,
    FALSE,
    FRESH,
    NONE,
    PARAMETER,
    STATIC,
    STATIC_BOOL,
    STATIC_FLOAT,
    STATIC_INT,
    TOP,
    TRUE,
    Const,
    Instance,
    Shape,
    Static,
    Sym,
    Tensor,
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
    # A program is exported by one process, outside of any group.
    "torch.distributed.is_initialized": FALSE,
    "torch.is_grad_enabled": STATIC_BOOL,
    "torch.is_autocast_enabled": STATIC_BOOL,
    "torch.cuda.is_available": STATIC_BOOL,
}
# What strict export traces for symbols, and not for the numbers that sizes are where no dimension is dynamic.
_SYMBOLIC: Final = frozenset(f"torch.sym_{name}" for name in ("ite", "not", "sqrt", "sum"))


@models_beginning("torch.", "functorch.")
def _operator(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    api = lookup(name)
    if api is None:
        return call_unmodelled(frame, node, name, args, keywords)
    return call_operator(frame, node, name, api, args, keywords)


@models(*AUTOCAST)
def _autocast(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return Instance(None, AUTOCAST[0], identity=(name, id(node))) if lowers(name, args, keywords) else TOP


@models(*_TRACING)
def _tracing(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    known = _TRACING[name]
    if known is TRUE and frame.traced:
        frame.summary.reads_is_compiling = True
    return known if frame.traced else STATIC


@models_beginning("torch.nn.modules.", "torch.nn.parameter.")
def _where_it_is_defined(
    frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    return call_library(frame, node, "torch.nn." + name.rpartition(".")[2], args, keywords)


@models("torch.nn.Parameter", "torch.nn.Buffer")
def _parameter(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if frame.traced:
        frame.emit(Built(frame.site(node), name))
    given = tensors(args[0]) if args else []
    origin = PARAMETER if name.endswith("Parameter") else BUFFER
    learned = args[1] if len(args) > 1 else keywords.get("requires_grad", TRUE)
    return Tensor(
        origin,
        alias=True,
        fixed=True,
        requires_grad=origin == PARAMETER and is_true(learned),
        dtype=given[0].dtype if given else None,
        rank=given[0].rank if given else None,
        dims=given[0].dims if given else None,
    )


@models_beginning("torch.nn.init.")
def _initialised(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A function of torch.nn.init: those that fill a tensor return it, the others tell numbers of it."""
    frame.emit_call(node, name, args, keywords)
    short = name.rpartition(".")[2]
    if short.startswith("_calculate_fan"):
        return Sequence("tuple", [STATIC_INT, STATIC_INT])
    if "calculate" in short:
        return STATIC_INT if short.endswith("fan") else STATIC_FLOAT
    return args[0] if args else TOP


@models_beginning("torch.nn.")
def _layer(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    short, _, method = name.removeprefix("torch.nn.").partition(".")
    if not short[:1].isupper():
        return _operator(frame, node, name, args, keywords)
    if method in ("__call__", "forward") and args and type(args[0]) is Instance:
        return call_bound(frame, node, args[0], method, args[1:], keywords)
    if method == "generate_square_subsequent_mask":
        return causal_mask(frame, node, args, keywords)
    if method == "from_pretrained":
        name, args, keywords = f"torch.nn.{short}", [], {}
    key = (id(node), tuple([v.key() for v in (*args, *keywords.values())]))
    module = construct_module(frame, name, args, keywords, key)
    if frame.traced:
        frame.emit(Built(frame.site(node), name, module))
        if short == "Unflatten":
            # It asks each size whether it is an `int`.
            given = keywords.get("unflattened_size", args[1] if len(args) > 1 else TOP)
            for size in contained(given):
                if type(size) is Sym:
                    frame.emit(Converted(frame.site(node), "checked", size))
                    break
    return module


@models_beginning("torch._check", "torch._assert", "torch.sym_", "torch._constrain", "torch._dynamo", "torch.export")
def _checks(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    if args and isinstance(node, ast.Call) and (name == "torch._assert" or _guards(frame, name, args[0])):
        truth(frame, node.args[0] if node.args else node, args[0], "assert", node)
    if name == "torch._assert":
        return NONE
    if name in _SYMBOLIC and all(map(is_plain, args)):
        frame.emit_call(node, "torch.sym_ite()", args, keywords)
    if name == "torch.sym_ite" and len(args) == 3:
        return _either(args[0], join(args[1], args[2]))
    symbols = [value for value in args if type(value) is Sym]
    if name in ("torch.sym_max", "torch.sym_min") and symbols:
        size = extreme_size("max" if name.endswith("max") else "min", args) if all(s.backed for s in symbols) else None
        return one_of(symbols) if size is None else of_term(size, symbols[0])
    if name.startswith("torch.sym_") and args:
        return args[0]
    return NONE if name.startswith(("torch._check", "torch._assert")) else TOP


# They differ in what they raise.
_CHECKS: Final = frozenset(
    {"torch._check", "torch._check_value", "torch._check_index", "torch._check_type", "torch._check_not_implemented"}
)


def _guards(frame: Frame, name: str, checked: Value) -> bool:
    """Whether a check of a dynamic size narrows what a declaration promises, as an assert does; it says nothing that
    `Dim.AUTO` does not leave to it, and is asked of an unbacked input size when the program runs."""
    kind = frame.run.dynamic.kind
    return name in _CHECKS and kind in ("named", "dynamic") and type(checked) is Sym and checked.backed


def _either(condition: Value, value: Value) -> Value:
    """One of two numbers: a symbol where the condition is one."""
    kinds = {one.type if isinstance(one, (Static, Sym)) else _type_of(one) for one in choices(value)}
    kind = kinds.pop() if len(kinds) == 1 else ""
    if type(condition) is not Sym or kind not in ("int", "float"):
        return value
    return Sym(kind, backed=condition.backed, site=condition.site, evidence=condition.evidence)


def _type_of(value: Value) -> str:
    return type(value.value).__name__ if type(value) is Const else ""


@models_beginning("torch.ops.")
def _custom_operator(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if name.count(".") < 3:
        return _operator(frame, node, name, args, keywords)
    return call_by_name(frame, node, name)


@models("torch.ops.higher_order.scan")
def _scan_operator(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    call_by_name(frame, node, name)
    return run_scan_operator(frame, node, args)


@models(
    "torch.nn.utils.rnn.pack_padded_sequence", "torch.nn.utils.rnn.pack_sequence", "torch.nn.utils.rnn.PackedSequence"
)
def _pack(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return pack(frame, node, args, keywords)


@models("torch.unravel_index")
def _unravelled(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A tensor of places for each dimension, each as large as the tensor of indices."""
    if len(args) != 2 or type(args[0]) is not Tensor:
        return call_unmodelled(frame, node, name, args, keywords)
    frame.emit_call(node, name, args, keywords)
    index, sizes = args[0], elements(frame, node, args[1])
    places = fresh_like(index, dtype=index.dtype, shape=index.shape, rank=index.rank, dims=index.dims)
    return Sequence("tuple", [places for _ in sizes] if isinstance(sizes, list) else None, places)


@models("torch.nn.utils.rnn.pad_packed_sequence")
def _pad(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return pad(frame, node, args[0]) if args else _operator(frame, node, name, args, keywords)


@models("torch.device", "torch.dtype", "torch.finfo", "torch.iinfo")
def _fixed(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return STATIC


@models(GENERATOR)
def _generator(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return made(frame, node)


@models("torch.Size")
def _size(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    given = args[0] if args else Sequence("tuple", [])
    if type(given) is not Sequence:
        return given
    return Sequence("tuple", given.items, given.element, depth=frame.depth, length=given.length, prefix=given.prefix)


@models("torch.get_rng_state", "torch.set_rng_state", "torch.manual_seed")
def _generator_state(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    return Tensor(FRESH)


@models("torch.autograd.grad")
def _gradients(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, name, args, keywords)
    return Sequence("tuple", None, Tensor(FRESH))


# Options of `checkpoint` itself; every other keyword is handed to the function.
CHECKPOINT_OPTIONS: Final = frozenset(
    {"use_reentrant", "context_fn", "determinism_check", "debug", "early_stop", "preserve_rng_state"}
)


@models("torch.utils.checkpoint.checkpoint", "torch.nn.parallel.data_parallel")
def _passes_on(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not args:
        return _operator(frame, node, name, args, keywords)
    frame.emit_call(node, name, args, keywords)
    given = {key: value for key, value in keywords.items() if key not in CHECKPOINT_OPTIONS}
    return call(frame, node, args[0], args[1:], given if name.endswith("checkpoint") else {})


@models("torch.utils.checkpoint.checkpoint_sequential")
def _in_segments(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`checkpoint_sequential(functions, segments, input)`: one function after the other."""
    frame.emit_call(node, name, args, keywords)
    if len(args) < 3:
        return TOP
    functions, result = args[0], args[2]
    several = functions.items if type(functions) is Sequence else [functions]
    for function in several or [TOP]:
        result = call(frame, node, function, [result], {})
    return result


@models("torch.func.functional_call")
def _functional_call(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A module called with other weights: what is traced is its `forward`."""
    frame.emit_call(node, name, args, keywords)
    given = args[2] if len(args) > 2 else keywords.get("args", Sequence("tuple", []))
    if len(args) < 2 or (len(args) > 3 or "kwargs" in keywords):
        return TOP
    if type(given) is Sequence and given.type == "tuple":
        return call(frame, node, args[0], list(given.items), {}) if given.items is not None else TOP
    return call(frame, node, args[0], [given], {})


@models("torch.autograd.Variable", "torch.autograd.variable.Variable")
def _variable(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, "torch.autograd.Variable", args, keywords)
    return args[0] if args else TOP


@models_beginning("torch.jit.")
def _script(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return args[0] if args else TOP


@models("torch.jit.isinstance")
def _is_instance(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) != 2:
        return _script(frame, node, name, args, keywords)
    frame.emit_call(node, name, args, keywords)
    return call_builtin(frame, node, "isinstance", args, {})


@models("torch.jit.annotate")
def _annotate(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return args[1] if len(args) == 2 else _script(frame, node, name, args, keywords)


@models("torch.jit.script", "torch.jit.trace", "torch.jit.freeze", "torch.jit.optimize_for_inference")
def _scripted(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A module of TorchScript, made of one of Python. Measured on torch 2.13: a ScriptModule is refused in both modes, what
    `trace`, `freeze` and `optimize_for_inference` make of one in strict mode only."""
    if args and any(type(c) is Instance for c in choices(args[0])):
        kind = name if name == "torch.jit.script" else "torch.jit.trace"
        return Instance(None, kind, identity=("scripted", id(node)))
    return _script(frame, node, name, args, keywords)


@models("torch.no_grad", "torch.enable_grad", "torch.inference_mode")
def _gradient_mode(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return TOP


@models("torch.Tensor", *[f"torch.{device}{name}" for name in TYPED_TENSORS for device in ("", "cuda.")])
def _tensor(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    ask_kept(frame, node, "use", *args)
    from_data(frame, node, name, args, keywords)
    dtype = TYPED_TENSORS.get(name.rpartition(".")[2], "default")
    result = Tensor(FRESH, dtype="default" if dtype == "float32" else dtype)
    if not keywords:
        as_large_as_given(result, args)
        if len(args) == 1 and any(type(choice) is Shape for choice in choices(args[0])):
            frame.emit_call(node, "torch.Tensor of a size", args)
    return result
