"""What torch's callables and attributes return, by qualified name (`torch.sum`, `Tensor.item`, `torch.nn.Linear`).

The table `torch_api.json` is generated from the installed torch by `rules/scripts/torch_api.py`. What its stubs and
schemas leave open, or say of all overloads at once where they differ, stands in `_OVERLAY`, with the reason.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

from exportdb_rules.operator_table import operator


class Api:
    """One callable or attribute.

    returns: codes of the overloads (see the generating script). view: the result may share the first argument's
    storage. writes: it changes its first argument. dynamic: the size of the result depends on data. data: it needs
    the data itself. pointwise, random: as torch tags the operator. integers: by position and by name, the parameters
    that want an int. plain: those of them that take no SymInt. signed: those that take one, and ask whether it is positive.
    either: those where another overload takes a tensor.
    """

    __slots__ = (
        "data",
        "dynamic",
        "either",
        "integers",
        "plain",
        "pointwise",
        "random",
        "returns",
        "signed",
        "view",
        "writes",
    )

    def __init__(self, text: str) -> None:
        returns, flags, integers = text.split(";")
        self.returns = returns.split("|")
        self.view = "v" in flags
        self.writes = "i" in flags
        self.dynamic = "d" in flags
        self.data = "n" in flags
        self.pointwise = "p" in flags
        self.random = "r" in flags
        self.integers: dict[int | str, str] = {}
        self.plain: set[str] = set()
        self.signed: set[str] = set()
        self.either: set[str] = set()
        for part in integers.split(",") if integers else ():
            position, _, name = part.partition(":")
            parameter = name.rstrip("*!^?")
            self.integers[int(position)] = self.integers[parameter] = parameter
            if "!" in name:
                self.plain.add(parameter)
            if "^" in name:
                self.signed.add(parameter)
            if name.endswith("?"):
                self.either.add(parameter)


_PLACES: Final = ("", ".nn.functional")
_OVERLAY: Final[dict[str, str]] = {
    # Python functions whose results the stubs leave open; `boolean_dispatch` hides the real one.
    "torch.unique": "T|(TT)|(TTT);d;",
    "torch.unique_consecutive": "T|(TT)|(TTT);d;",
    "Tensor.unique": "T|(TT)|(TTT);d;",
    "Tensor.unique_consecutive": "T|(TT)|(TTT);d;",
    "torch.meshgrid": "L;v;",
    "torch.atleast_1d": "T;v;",
    "torch.atleast_2d": "T;v;",
    "torch.atleast_3d": "T;v;",
    "torch.broadcast_tensors": "L;v;",
    "torch.lu": "?;;",
    "torch.is_tensor": "B;;",
    "torch.Size": "Z;;",
    "torch.as_tensor": "T;;",
    "torch.vmap": "?;;",
    "Tensor.new": "T;;",
    "Tensor.type": "T;v;",
    "Tensor.numpy": "?;n;",
    "Tensor.tolist": "?;n;",
    "Tensor.is_nonzero": "B;n;",
    "torch.is_nonzero": "B;n;",
    "Tensor.__array__": "?;n;",
    "Tensor.storage": "?;n;",
    "Tensor.untyped_storage": "?;n;",
    "Tensor.data_ptr": "I;n;",
    "Tensor.equal": "B;n;",
    "Tensor.split_with_sizes": "L;v;",
    "Tensor.requires_grad_": "T;;",
    "Tensor.retain_grad": "X;;",
    # repeat_interleave by an int, or with output_size, has a known size.
    "torch.repeat_interleave": "T;d;1:repeats?",
    "Tensor.repeat_interleave": "T;d;0:repeats?",
    # where with one argument is nonzero(as_tuple=True): `interpreter/tensors.py` tells the overloads apart.
    "torch.where": "T|L;dp;",
    # The return types of pooling modules are open: with return_indices it is a pair, which few ask for.
    **{f"torch.nn.{kind}MaxPool{n}d": "T;;" for kind in ("", "Adaptive", "Fractional") for n in (1, 2, 3)},
    "torch.nn.functional.softsign": "T;;",
    "torch.nn.functional.tanhshrink": "T;;",
    **{f"torch.nn.functional.adaptive_max_pool{n}d": "T;;1:output_size*!" for n in (1, 2, 3)},
    "torch.nn.functional.fractional_max_pool2d": "T;;1:kernel_size*!,2:output_size*!",
    # Python functions that give their number to an operator that takes no symbol.
    "torch.nn.functional.unfold": "T;v;1:kernel_size*!,2:dilation*!,3:padding*!,4:stride*!",
    "torch.nn.functional.fold": "T;;2:kernel_size*!,3:dilation*!,4:padding*!,5:stride*!",
    "torch.nn.functional.local_response_norm": "T;;1:size!",
    "torch.nn.functional.lp_pool1d": "T;;2:kernel_size*!,3:stride*!",
    "torch.nn.functional.lp_pool2d": "T;;2:kernel_size*!,3:stride*!",
    "torch.linalg.matrix_power": "T;;1:n!",
    "torch.tensor_split": "L;v;1:indices?,1:sections!?,2:dim!",
    "Tensor.tensor_split": "L;v;0:indices?,0:sections!?,1:dim!",
    # A symbol is taken, and must be positive: export asks (measured on torch 2.13 with a number from data, in both modes).
    **{
        f"torch{place}.conv{n}d": "T;;3:stride*^,4:padding*^,5:dilation*^,6:groups^"
        for place in _PLACES
        for n in (1, 2, 3)
    },
    **{
        f"torch{place}.conv_transpose{n}d": "T;;3:stride*^,4:padding*^,5:output_padding*^,6:groups^,7:dilation*^"
        for place in _PLACES
        for n in (1, 2, 3)
    },
    **{f"torch.nn.functional.adaptive_avg_pool{n}d": "T;;1:output_size*^" for n in (2, 3)},
    **{f"torch.nn.functional.max_unpool{n}d": "T;;2:kernel_size*^,3:stride*^,4:padding*^" for n in (1, 2, 3)},
    **{f"torch.fft.{kind}": "T;;1:n^,2:dim!" for kind in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{
        f"torch.fft.{kind}{n}": "T;;1:s*^,2:dim*!"
        for kind in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
        for n in ("2", "n")
    },
    "torch.nn.functional.multi_head_attention_forward": "(TT);;",
    "torch.nn.functional.interpolate": "T;;1:size",
    "torch.nn.functional.upsample": "T;;1:size",
    "torch.nn.functional.pad": "T;;1:pad",
    "torch.nn.LSTM": "(T(TT));;",
    "torch.nn.GRU": "(TT);;",
    "torch.nn.RNN": "(TT);;",
    "torch.nn.MultiheadAttention": "(TT);;",
    "torch.nn.Identity": "=;;",
    "torch.nn.AdaptiveLogSoftmaxWithLoss": "(TT);;",
    "torch.nn.functional.ctc_loss": "T;;",
    "torch.nn.utils.rnn.pad_sequence": "T;;",
    "torch.nn.utils.rnn.pack_padded_sequence": "?;n;",
    "torch.nn.utils.rnn.pad_packed_sequence": "?;n;",
    "torch.nn.utils.parameters_to_vector": "T;;",
}

# In place, and the tensor has other dimensions from then on.
RESHAPING: Final = frozenset(
    "unsqueeze_ squeeze_ t_ transpose_ swapaxes_ swapdims_ resize_ resize_as_ as_strided_ set_".split()
)
# Operators that change the order of dimensions without moving an element.
PERMUTING: Final = frozenset("transpose permute t movedim moveaxis swapaxes swapdims T mT H mH adjoint rot90".split())
# What methods that convert, and torch's short names of dtypes, stand for.
CASTS: Final = {
    "bool": "bool", "int": "int32", "long": "int64", "short": "int16", "byte": "uint8", "char": "int8", "float": "float32",
    "double": "float64", "half": "float16", "bfloat16": "bfloat16",
}  # fmt: skip
# Constructors of tensors that are named by a type, and their dtypes.
TYPED_TENSORS: Final = {
    f"{cast.capitalize()}Tensor": CASTS[cast]
    for cast in ("float", "double", "half", "long", "int", "short", "byte", "bool")
}
# Layers of torch.nn whose output has the dtype and shape of the input. Of the first ones it may be the input itself.
PASSING_LAYERS: Final = frozenset("Identity Dropout Dropout1d Dropout2d Dropout3d AlphaDropout".split())
LIKE_INPUT: Final = PASSING_LAYERS | frozenset(
    """
    ReLU ReLU6 LeakyReLU GELU SiLU ELU CELU SELU Sigmoid Tanh Softplus Softsign Softmax LogSoftmax LogSigmoid Mish
    Hardswish Hardsigmoid Hardtanh PReLU LayerNorm RMSNorm GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d
    BatchNorm1d BatchNorm2d BatchNorm3d Tanhshrink Softshrink Hardshrink Threshold
    TransformerEncoderLayer TransformerEncoder TransformerDecoderLayer TransformerDecoder
    """.split()
)
# In training these change their own buffers, which torch.cond refuses.
STATEFUL_LAYERS: Final = frozenset(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"))


@cache
def _table() -> dict[str, str]:
    document = json.loads((Path(__file__).parent / "torch_api.json").read_text(encoding="utf-8"))
    table: dict[str, str] = document["api"]
    table.update(_OVERLAY)
    return table


def of_operator(name: str) -> Api | None:
    """What is known of an operator by its plain name: of the method, or of torch's function."""
    known = (lookup(f"{place}.{name}") for place in ("Tensor", "torch", "torch.nn.functional"))
    return next((api for api in known if api is not None), None)


def only_computes(name: str) -> bool:
    """Whether an operator gives a tensor of its own that its arguments alone decide: it draws nothing and writes nothing."""
    api = of_operator(name)
    return operator(name).fresh and api is not None and not (api.random or api.writes)


@cache
def lookup(name: str) -> Api | None:
    """What is known of a callable or attribute; None for a name that torch does not have."""
    text = _table().get(name)
    return None if text is None else Api(text)
