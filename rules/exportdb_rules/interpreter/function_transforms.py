"""Transforms of functions: `torch.vmap`, and the derivatives of `torch.func`.

The function is run on what its transform is called with. What the transform leaves in the graph was measured with torch 2.13: a
derivative backwards is a tensor without data, forwards it is traced; under `torch.vmap` neither is.
"""

from __future__ import annotations

import ast
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Called, Differentiated, Fact
from exportdb_rules.interpreter.dispatch import call
from exportdb_rules.interpreter.iteration import fresh_like, row
from exportdb_rules.interpreter.library import models
from exportdb_rules.interpreter.machine import Frame, reached
from exportdb_rules.interpreter.weights import reads_weights
from exportdb_rules.lattice import Mapping, Sequence
from exportdb_rules.values import FRESH, TOP, External, Partial, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from exportdb_rules.facts import DerivativeForm

# They give a function that waits for its arguments. Forwards, `jacfwd` maps over directions.
_WAITING: Final = ("grad", "grad_and_value", "jacrev", "jacfwd", "hessian")
_MAPPED: Final = frozenset({"jacfwd", "hessian"})
_BACKWARDS: Final = frozenset({"grad", "grad_and_value", "jacrev", "vjp"})
# How the call of what a transform gave is named.
_CALLED: Final = "()"
# Operators, and layers that call them, whose derivative backwards no mode traces.
_WHOLE: Final = frozenset(
    {"torch.einsum"}
    | {f"torch.nn.functional.{name}" for name in ("linear", "bilinear", "prelu", "scaled_dot_product_attention")}
    | {
        f"torch.nn.{name}"
        for name in ("Linear", "Bilinear", "PReLU", "RNN", "LSTM", "GRU", "MultiheadAttention", "TransformerEncoderLayer",
                     "TransformerDecoderLayer", "TransformerEncoder", "TransformerDecoder", "Transformer")
    }
)  # fmt: skip


def _named(names: Iterable[str], suffix: str = "") -> Iterator[str]:
    return (f"{module}.{name}{suffix}" for name in names for module in ("torch.func", "functorch"))


@models("torch.vmap", *_named(("vmap", *_WAITING)))
def _transform(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`torch.vmap(f)`, `torch.func.grad(f)`: what it gives runs f where it is called."""
    if not args:
        return TOP
    options = Mapping({**{str(place): value for place, value in enumerate(args[1:], 1)}, **keywords})
    return Partial(External(f"torch.func.{name.rpartition('.')[2]}{_CALLED}"), [args[0], options], {})


@models(f"torch.func.vmap{_CALLED}")
def _mapped(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    function, options, *given = args
    along_first = isinstance(options, Mapping) and not {"1", "in_dims"} & options.items.keys()
    if reads_weights(frame, node, function):
        frame.emit_call(node, "torch.vmap()", args, keywords)
    rows = [row(value) if type(value) is Tensor and along_first else _unsized(value) for value in given]
    with _mapping(frame):
        return _unsized(call(frame, node, function, rows, keywords))


@contextmanager
def _mapping(frame: Frame) -> Generator[None]:
    """What runs inside stands under `torch.vmap`."""
    frame.run.mapped += 1
    try:
        yield
    finally:
        frame.run.mapped -= 1


def _unsized(value: Value) -> Value:
    """A value with a dimension more, or less; of structures nothing is known."""
    if type(value) is Sequence and value.items is not None:
        return Sequence(value.type, [_unsized(item) for item in value.items])
    return fresh_like(value, moves=0) if type(value) is Tensor else TOP


@models(*_named(_WAITING, _CALLED))
def _derived(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    short = name.rpartition(".")[2].removesuffix(_CALLED)
    function, options, *given = args
    with _mapping(frame) if short in _MAPPED else nullcontext():
        value = _differentiate(frame, node, short, function, given, keywords)
    plain = isinstance(options, Mapping) and not options.items
    gradient = _alike(given[0]) if plain and short in ("grad", "grad_and_value") and given else TOP
    if short == "grad_and_value" and plain:
        return Sequence("tuple", [gradient, value])
    return gradient if gradient is not TOP else Tensor(FRESH) if plain else TOP


@models(*_named(("vjp", "jvp", "linearize")))
def _at_once(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`vjp(f, *primals)`, `jvp(f, primals, tangents)`, `linearize(f, *primals)`: f runs at once."""
    short = name.rpartition(".")[2]
    primals: list[Value] = args[1:]
    if short == "jvp":
        held = args[1] if len(args) > 1 else keywords.get("primals", TOP)
        primals = [*held.items] if type(held) is Sequence and held.items is not None else [TOP]
    value = _differentiate(frame, node, short, args[0] if args else TOP, primals, {})
    if "has_aux" in keywords:
        return TOP
    return Sequence("tuple", [value, _alike(value) if short == "jvp" else TOP])


def _alike(value: Value) -> Value:
    """A gradient has the sizes of what it is of."""
    return fresh_like(value, dims=value.dims, rank=value.rank, dtype=value.dtype) if type(value) is Tensor else TOP


def _differentiate(
    frame: Frame, node: ast.AST, short: str, function: Value, given: list[Value], keywords: dict[str, Value]
) -> Value:
    """Runs a function, and tells what its derivative does to an export."""
    facts, calls = len(frame.summary.facts), len(frame.summary.calls)
    result = call(frame, node, function, given, keywords)
    inside: list[Fact] = frame.summary.facts[facts:]
    for summary in reached([inner for _, inner in frame.summary.calls[calls:]]):
        inside += summary.facts
    form = _form(frame, node, short, function, inside)
    if form is not None:
        frame.emit(Differentiated(frame.site(node), short, form))
    return result


def _form(frame: Frame, node: ast.AST, short: str, function: Value, inside: list[Fact]) -> DerivativeForm | None:
    if frame.run.mapped:
        return "mapped"
    if short == "linearize":
        return "linearize"
    names = {fact.name for fact in inside if isinstance(fact, Called)}
    # With other weights it is these, as a rule, that are differentiated.
    if short in _BACKWARDS and names & _WHOLE and "torch.func.functional_call" not in names:
        return "whole"
    if reads_weights(frame, node, function):
        return "weights"
    return "backwards" if short in _BACKWARDS else None
