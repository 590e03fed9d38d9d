"""What the results of torch's operators are, by the plain name of the operator: `softmax`, `cumsum`, `eq`.

`operator_table.json` is measured by `rules/scripts/operator_table.py`, which calls every operator of torch's own test
database on its samples; tests/rules/test_operator_table.py measures a part of it again in each run. `_CHANGED` has what
the database does not tell, each row with the reason.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Hashable

# bool, int64: whatever goes in. kept: that of the first tensor. summed: kept, whole numbers and bools become int64. float:
# kept, whole numbers and bools become the default float (or are refused). promoted: of all operands. divided: promoted,
# then as float. '': anything else.
DtypeRule = Literal["", "bool", "int64", "kept", "summed", "float", "promoted", "divided"]
# same: that of the first tensor. broadcast: of all tensors. reduced: without the dimensions that are named, without all of
# them where none is. scalar: without dimensions, unless `reduction` says otherwise. '': anything else.
ShapeRule = Literal["", "same", "broadcast", "reduced", "scalar"]


class Operator(NamedTuple):
    """One operator. fresh: no result shares storage with an argument. contiguous: every result is, where all arguments are. vmap: `torch.vmap` over its first argument gives
    what a loop over the rows gives. each: every number of the result comes of the number in its place alone."""

    dtype: DtypeRule = ""
    shape: ShapeRule = ""
    fresh: bool = False
    vmap: bool = False
    each: bool = False
    contiguous: bool = False

    @property
    def broadcasts(self) -> bool:
        """Whether it computes from the numbers that stand in one place of its operands, as arithmetic and comparisons do."""
        return self.fresh and self.shape == "broadcast" and self.dtype in ("bool", "promoted", "divided")

    def result_dtype(self, dtype: Hashable) -> Hashable:
        """The dtype of a result of one tensor, of which the dtype is given; None where it is not known."""
        if self.dtype in ("bool", "int64"):
            return self.dtype
        if self.dtype == "kept" or dtype is None or is_float(dtype):
            return dtype
        if self.dtype in ("float", "divided"):
            return ("float", dtype)
        if self.dtype == "summed":
            return "int64" if dtype in WHOLE else ("sum", dtype)
        return None


# Whole numbers, which sums make int64 of.
WHOLE: Final = ("bool", "uint8", "int8", "int16", "int32", "int64")


def of_example_dtype(name: str, token: Hashable) -> Hashable:
    """The token for the dtype of an input whose example has the named dtype, where other inputs may have another."""
    return ("example", name, token)


def example_dtype(dtype: object) -> object:
    """The name of the dtype that a token stands for where the inputs are as the example; any other token as it is."""
    if isinstance(dtype, tuple):
        head, *rest = cast("tuple[object, ...]", dtype)
        return rest[0] if head == "example" else cast("object", dtype)
    return dtype


def dtype_name(dtype: object) -> str | None:
    """The name of the dtype that a token stands for where the inputs are as the example and torch's default is float32; None
    where it has none."""
    known = example_dtype(dtype)
    return ("float32" if known == "default" else known) if isinstance(known, str) else None


def is_float(dtype: object) -> bool:
    """Whether a dtype token stands for a floating dtype: by name, torch's default, or what promotion made float."""
    dtype = example_dtype(dtype)
    if isinstance(dtype, tuple):
        return cast("tuple[object, ...]", dtype)[:1] in (("float",), ("promoted",), ("true_divide",))
    return isinstance(dtype, str) and (dtype.startswith(("float", "bfloat")) or dtype == "default")


# Of the operators on the left, the columns that are other than what was measured.
_OVERLAY: Final[dict[str, dict[str, Any]]] = {
    # Larger masks and bounds, and bounds of a wider dtype, are taken too. Nobody writes them to make a tensor larger.
    "clamp clamp_max clamp_min clip": {"dtype": "kept", "shape": "same", "each": True},
    "masked_fill masked_scatter": {"shape": "same"},
    # The samples ask for as many points as there are.
    "grid_sample": {"shape": ""},
    # Weights and biases are no larger than the tensor.
    "layer_norm rms_norm": {"shape": "same"},
    # A bool becomes int64; all other dtypes are kept.
    "square": {"dtype": "kept"},
    # The dtype is that of the tensor, which is floating for these two.
    "rand_like randn_like": {"dtype": "kept"},
    # Whole numbers stay whole with a rounding mode, which is a keyword.
    "div divide": {"dtype": "divided"},
    # A dimension must be named.
    "logsumexp": {"shape": "reduced"},
    # With `return_indices` they give two tensors, which few ask for.
    "max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d": {"dtype": "kept"},
    # The functional form is given the indices first.
    "embedding": {"dtype": ""},
    # torch's own form of the function knows no default for `reduction`.
    "binary_cross_entropy_with_logits kl_div": {"shape": "scalar"},
    # The samples have tensors of one dtype in the list.
    "cat concat concatenate hstack stack vstack": {"dtype": "promoted"},
    # Its mask is a bool, or of the dtype of the queries.
    "scaled_dot_product_attention": {"dtype": "kept"},
    # They are not in the database.
    "pad_sequence": {"dtype": "promoted", "fresh": True},
    "detach": {"dtype": "kept", "shape": "same"},
    "randperm": {"dtype": "int64", "fresh": True, "contiguous": True},
    # Integers, unless `out_int32=True`, `weights` or `dtype` say otherwise.
    "bincount bucketize nonzero randint searchsorted": {"dtype": "int64"},
}
_CHANGED: Final = {name: columns for names, columns in _OVERLAY.items() for name in names.split()}
_UNKNOWN: Final = Operator()


@cache
def _table() -> dict[str, Operator]:
    document = json.loads((Path(__file__).parent / "operator_table.json").read_text(encoding="utf-8"))
    rows: dict[str, dict[str, Any]] = document["operators"]
    return {name: Operator(**rows.get(name, {}) | _CHANGED.get(name, {})) for name in rows.keys() | _CHANGED}


def operator(name: str) -> Operator:
    """The row of an operator; an empty one for a name that no operator has."""
    return _table().get(name, _UNKNOWN)
