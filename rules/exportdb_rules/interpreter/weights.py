"""The sizes of the weights of torch.nn's layers, as their constructors make them (torch docs, "Variables" of each layer)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.interpreter import windows
from exportdb_rules.interpreter.dimensions import Dims, given, number_of
from exportdb_rules.lattice import Sequence
from exportdb_rules.project import dotted, own_nodes
from exportdb_rules.values import BUFFER, PARAMETER, STATIC_INT, Const, Function, Instance, Static, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.interpreter.machine import Frame

# Where the constructors of layers that scale what they normalize take how large that is.
_NORMALIZED: Final = {
    "LayerNorm": (0, "normalized_shape"),
    "RMSNorm": (0, "normalized_shape"),
    "GroupNorm": (1, "num_channels"),
    **{f"{kind}Norm{rank}d": (0, "num_features") for kind in ("Batch", "Instance") for rank in (1, 2, 3)},
    "SyncBatchNorm": (0, "num_features"),
}
_PER_FEATURE: Final = frozenset({"weight", "bias", "running_mean", "running_var"})


def argument(module: Instance, index: int, name: str) -> Value | None:
    """What the constructor of a layer was given, by position or name."""
    return module.given.get(index, module.given.get(name))


def weight_sizes(module: Instance, name: str) -> Dims | None:
    """The sizes of a weight or buffer of a layer; None where they are not known."""
    layer = module.external.rpartition(".")[2]
    if layer == "Linear":
        into, out = argument(module, 0, "in_features"), argument(module, 1, "out_features")
        return _sizes({"weight": [out, into], "bias": [out]}.get(name))
    if layer in ("Embedding", "EmbeddingBag"):
        return (
            _sizes([argument(module, 0, "num_embeddings"), argument(module, 1, "embedding_dim")])
            if name == "weight"
            else None
        )
    if layer in windows.CONVOLUTIONS or layer in windows.TRANSPOSED:
        return _of_convolution(module, layer, name)
    if layer in _NORMALIZED and name in _PER_FEATURE:
        size = argument(module, *_NORMALIZED[layer])
        return _sizes(size.items if type(size) is Sequence else [size])
    return () if name == "num_batches_tracked" else None


# Methods that call one another are followed so far.
_DEEPEST: Final = 3
# Layers that keep nothing.
_WITHOUT_WEIGHTS: Final = frozenset(
    {"ReLU", "ReLU6", "GELU", "SiLU", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "Dropout", "Identity", "Flatten", "ELU",
     "LeakyReLU", "Softplus", "Mish", "Hardswish", "MaxPool1d", "MaxPool2d", "AvgPool1d", "AvgPool2d", "Upsample"}
)  # fmt: skip


def reads_weights(frame: Frame, node: ast.AST, function: Value) -> bool:
    """Whether a function is a module that has weights, or reads some of `self`, which the code in front of `node` has not read."""
    owner = function.bound if type(function) is Function else None
    if owner is None:
        scope = function.closure if type(function) is Function and function.closure is not None else frame
        owner = scope.lookup("self")
    if type(owner) is not Instance:
        return type(function) is Instance and has_weights(function)
    held = [name for name, value in owner.attributes.items() if value is function]
    if type(function) is Instance and not held:
        return has_weights(function)
    names = {*held}
    if type(function) is Function:
        names |= _reads(frame, owner, function.info.node, _DEEPEST)
    at = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    around = frame.function.node if frame.function is not None else node
    before = {read.attr for read in _of_self(around) if (read.lineno, read.col_offset) < at}
    return any(_is_weight(owner.attributes.get(name)) for name in names - before)


def _of_self(node: ast.AST) -> Iterator[ast.Attribute]:
    return (n for n in own_nodes(node) if isinstance(n, ast.Attribute) and dotted(n.value) == "self")


def _reads(frame: Frame, owner: Instance, node: ast.AST, levels: int) -> set[str]:
    """The attributes of `self` that a function reads, or a method that it calls."""
    found = {read.attr for read in _of_self(node)}
    for name in [*found] if levels and owner.cls is not None else ():
        method = None if name in owner.attributes or owner.cls is None else owner.cls.find(name, frame.run.project)
        if method is not None:
            found |= _reads(frame, owner, method.node, levels - 1)
    return found


def _is_weight(value: Value | None) -> bool:
    return (type(value) is Tensor and value.origin in (PARAMETER, BUFFER)) or (
        type(value) is Instance and has_weights(value)
    )


def has_weights(module: Instance) -> bool:
    """Whether a module of torch's own, or one of the project's by its own attributes, has parameters or buffers."""
    if module.cls is None:
        held = module.elements.items if type(module.elements) is Sequence else None
        if held is not None:
            return any(map(_is_weight, held))
        return module.external.startswith("torch.nn.") and module.external.rpartition(".")[2] not in _WITHOUT_WEIGHTS
    return module.state and any(map(_is_weight, module.attributes.values()))


def _of_convolution(module: Instance, layer: str, name: str) -> Dims | None:
    into, out = argument(module, 0, "in_channels"), argument(module, 1, "out_channels")
    if name == "bias":
        return _sizes([out])
    rank = windows.rank_of(layer)
    kernel = windows.numbers(argument(module, 2, "kernel_size"), rank)
    groups = argument(module, *((7, "groups") if layer in windows.TRANSPOSED else (6, "groups")))
    parts = 1 if groups is None else number_of(groups)
    if name != "weight":
        return None
    first, second = (into, out) if layer in windows.TRANSPOSED else (out, into)
    if parts != 1:
        number = number_of(second)
        second = STATIC_INT if parts is None or number is None else Const(number // parts)
    return _sizes([first, second, *([STATIC_INT] * rank if kernel is None else [Const(size) for size in kernel])])


def _sizes(values: list[Value | None] | list[Value] | None) -> Dims | None:
    if values is None or any(value is None for value in values):
        return None
    found = given([value if type(value) in (Const, Static) else STATIC_INT for value in values if value is not None])
    return found
