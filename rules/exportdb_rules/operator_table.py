"""What the results of torch's operators are, by the plain name of the operator: `softmax`, `cumsum`, `eq`.

`operator_table.json` is measured by `rules/scripts/operator_table.py`, which calls every operator of torch's own test
database on its samples; tests/rules/test_operator_table.py measures a part of it again in each run. `_OVERLAY` has what
the database does not tell, each row with the reason.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

# bool, int64: whatever goes in. kept: that of the first tensor. summed: kept, whole numbers and bools become int64. float:
# kept, whole numbers and bools become the default float (or are refused). promoted: of all operands. divided: promoted,
# then as float. '': anything else.
DtypeRule = Literal["", "bool", "int64", "kept", "summed", "float", "promoted", "divided"]
# same: that of the first tensor. broadcast: of all tensors. reduced: without the dimensions that are named, without all of
# them where none is. '': anything else.
ShapeRule = Literal["", "same", "broadcast", "reduced"]


class Operator(NamedTuple):
    """One operator. fresh: no result shares storage with an argument. vmap: `torch.vmap` over its first argument gives
    what a loop over the rows gives. each: every number of the result comes of the number in its place alone."""

    dtype: DtypeRule = ""
    shape: ShapeRule = ""
    fresh: bool = False
    vmap: bool = False
    each: bool = False


_OVERLAY: Final[dict[str, Operator]] = {
    # Larger masks and bounds, and bounds of a wider dtype, are taken too. Nobody writes them to make a tensor larger.
    **dict.fromkeys(("clamp", "clamp_max", "clamp_min", "clip", "masked_fill"), Operator("kept", "same", fresh=True, vmap=True)),
    # The samples ask for as many points as there are.
    "grid_sample": Operator("float", fresh=True, vmap=True),
    # A bool becomes int64; all other dtypes are kept.
    "square": Operator("kept", "same", fresh=True, vmap=True, each=True),
    # The dtype is that of the tensor, which is floating for these two.
    **dict.fromkeys(("rand_like", "randn_like"), Operator("kept", "same", fresh=True)),
    # It is not in the database.
    "detach": Operator("kept", "same"),
    "randperm": Operator("int64", fresh=True),
    # Integers, unless `out_int32=True`, `weights` or `dtype` say otherwise.
    **dict.fromkeys(("bincount", "bucketize", "nonzero", "randint", "searchsorted"), Operator("int64", fresh=True)),
}  # fmt: skip

_UNKNOWN: Final = Operator()


@cache
def _table() -> dict[str, Operator]:
    document = json.loads((Path(__file__).parent / "operator_table.json").read_text(encoding="utf-8"))
    return {name: Operator(**columns) for name, columns in document["operators"].items()} | _OVERLAY


def operator(name: str) -> Operator:
    """The row of an operator; an empty one for a name that no operator has."""
    return _table().get(name, _UNKNOWN)
