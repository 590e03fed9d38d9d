"""The options that torch.nn's layers keep as attributes, and the weights that an option leaves out (torch docs, "Parameters" of each layer)."""

from __future__ import annotations

import ast
from typing import Final

from exportdb_rules.interpreter import windows
from exportdb_rules.interpreter.weights import argument
from exportdb_rules.lattice import Sequence
from exportdb_rules.values import TOP, Const, Instance, Static, Value

_CONVOLUTION: Final = (
    "in_channels out_channels kernel_size stride=1 padding=0 dilation=1 groups=1 bias=True padding_mode='zeros'"
)
_TRANSPOSED: Final = "in_channels out_channels kernel_size stride=1 padding=0 output_padding=0 groups=1 bias=True dilation=1 padding_mode='zeros'"
_RECURRENT: Final = "bias=True batch_first=False dropout=0.0 bidirectional=False"
# The parameters of their constructors, in order, with their defaults.
_SIGNATURES: Final = {
    "Linear": "in_features out_features bias=True",
    "Embedding": "num_embeddings embedding_dim padding_idx=None max_norm=None norm_type=2.0 scale_grad_by_freq=False",
    "LayerNorm": "normalized_shape eps=1e-05 elementwise_affine=True bias=True",
    "RMSNorm": "normalized_shape eps=None elementwise_affine=True",
    "GroupNorm": "num_groups num_channels eps=1e-05 affine=True",
    "MultiheadAttention": "embed_dim num_heads dropout=0.0 bias=True",
    "LSTM": f"input_size hidden_size num_layers=1 {_RECURRENT}",
    "GRU": f"input_size hidden_size num_layers=1 {_RECURRENT}",
    "RNN": f"input_size hidden_size num_layers=1 nonlinearity='tanh' {_RECURRENT}",
    **dict.fromkeys(windows.CONVOLUTIONS, _CONVOLUTION),
    **dict.fromkeys(windows.TRANSPOSED, _TRANSPOSED),
    **{f"BatchNorm{n}d": "num_features eps=1e-05 momentum=0.1 affine=True track_running_stats=True" for n in (1, 2, 3)},
    **{
        f"InstanceNorm{n}d": "num_features eps=1e-05 momentum=0.1 affine=False track_running_stats=False"
        for n in (1, 2, 3)
    },
    **dict.fromkeys(("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout"), "p=0.5 inplace=False"),
    "ReLU": "inplace=False",
}
_DEFAULTS: Final = {
    layer: {
        name: Const(ast.literal_eval(default)) if default else None
        for name, _, default in (word.partition("=") for word in text.split())
    }
    for layer, text in _SIGNATURES.items()
}
# Numbers that a convolution keeps as one for each dimension.
_FOR_EACH: Final = frozenset({"kernel_size", "stride", "padding", "dilation", "output_padding"})
# The options that leave out weights and buffers, each where it is False.
_LEAVES_OUT: Final = {
    "affine": ("weight", "bias"),
    "elementwise_affine": ("weight", "bias"),
    "bias": ("bias",),
    "track_running_stats": ("running_mean", "running_var", "num_batches_tracked"),
}


def option(module: Instance, name: str) -> Value | None:
    """The value of an attribute that a layer's constructor was given, or left at its default; None for what is no option."""
    value = None if name == "bias" else _given(module, name)
    each = type(value) is Static or (type(value) is Const and not isinstance(value.value, str))
    if value is not None and each and name in _FOR_EACH:
        return Sequence("tuple", [value for _ in range(windows.rank_of(_layer(module)))])
    return None if value is TOP else value


def has_weight(module: Instance, name: str) -> bool | None:
    """Whether the options of a layer leave a weight or buffer in it; None where they are not known."""
    answers = [_given(module, parameter) for parameter, names in _LEAVES_OUT.items() if name in names]
    known = [value.value for value in answers if type(value) is Const]
    if False in known:
        return False
    return None if len(known) < sum(value is not None for value in answers) else True


def _given(module: Instance, name: str) -> Value | None:
    signature = _DEFAULTS.get(_layer(module), {})
    if name not in signature:
        return None
    if module.cls is not None and not module.given:
        return TOP  # what a class that derives from a layer gives its constructor
    return argument(module, [*signature].index(name), name) or signature[name]


def _layer(module: Instance) -> str:
    return module.external.removeprefix("torch.nn.")
