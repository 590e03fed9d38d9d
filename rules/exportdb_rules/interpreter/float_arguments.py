"""Parameters that torch wants a plain float for.

A parameter that a schema declares as `float`, not as `Scalar`, takes no symbol: the number has to be known while tracing. So
it is with some scalars that the operator compares with others. Each row was measured, and is exported by
`tests/rules/test_float_arguments.py`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Converted, SizeGiven
from exportdb_rules.interpreter.size_arguments import is_loose, placed
from exportdb_rules.lattice import Sequence, choices, is_true
from exportdb_rules.values import Sym, Tensor

if TYPE_CHECKING:
    from exportdb_rules.facts import SizeNeed
    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Value


def _rows(text: str) -> dict[str, dict[int | str, str]]:
    """Rows `operator position:parameter …`; no position of one that stands behind a `*`. A tensor stands first."""
    rows: dict[str, dict[int | str, str]] = {}
    for line in text.split("\n"):
        operator, *parameters = line.split()
        row = rows.setdefault(operator, {})
        for part in parameters:
            position, _, name = part.partition(":")
            row[name] = name
            if position:
                row[int(position)] = name
    return rows


_FLOATS: Final = _rows(
    """\
addmm :beta
alpha_dropout 1:p
batch_norm 6:momentum 7:eps
bernoulli 1:p
cauchy_ 1:median 2:sigma
cdist 2:p
cosine_embedding_loss 3:margin
cosine_similarity 3:eps
cross_entropy :label_smoothing
cumulative_trapezoid :dx
dropout 1:p
dropout1d 1:p
dropout2d 1:p
dropout3d 1:p
embedding 3:max_norm
embedding_bag :max_norm
exponential_ 1:lambd
feature_alpha_dropout 1:p
fftfreq 1:d
fractional_max_pool2d :output_ratio
group_norm 4:eps
hardtanh 1:min_val 2:max_val
hinge_embedding_loss 2:margin
huber_loss :delta
instance_norm 6:momentum 7:eps
interpolate 2:scale_factor
isclose 2:rtol 3:atol
layer_norm 4:eps
log_normal_ 1:mean 2:std
logspace 3:base
margin_ranking_loss 3:margin
nan_to_num 1:nan 2:posinf 3:neginf
norm 1:p 1:ord
normal_ 1:mean 2:std
normalize 1:p
pad 3:value
pairwise_distance 2:p 3:eps
poisson_nll_loss :eps
rfftfreq 1:d
rms_norm 3:eps
rrelu 1:lower 2:upper
scaled_dot_product_attention 4:dropout_p 6:scale
smooth_l1_loss :beta
softshrink 1:lambd
std :correction
sub :alpha
trapezoid :dx
triplet_margin_loss :margin
uniform_ 1:from 2:to
upsample 2:scale_factor
vector_norm 1:ord"""
)
# Another overload takes a tensor there.
_OR_TENSORS: Final = _rows(
    """\
bernoulli_ 1:p
float_power 1:exponent
matrix_rank :tol
nanquantile 1:q
normal 0:mean 1:std
pinv :rtol
quantile 1:q"""
)
# Scalars: a symbol will do, but strict export does not read the number of a tensor.
_SCALARS: Final = _rows(
    """\
celu 1:alpha
clamp 1:min 2:max
fill_diagonal_ 1:fill_value
histc 2:min 3:max
new_full 2:fill_value
scalar_tensor 0:s
threshold 1:threshold 2:value"""
)


def check_floats(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> None:
    """Tensors and symbols that stand where torch wants a plain float."""
    short = name.rpartition(".")[2]
    if (row := _FLOATS.get(short)) is not None:
        kinds = (Tensor,) if _recomputed(keywords) else (Tensor, Sym)
        _check(frame, node, name, row, "float", kinds, args, keywords)
    elif (row := _OR_TENSORS.get(short)) is not None:
        _check(frame, node, name, row, "float", (Sym,), args, keywords)
    elif (row := _SCALARS.get(short)) is not None:
        if short == "clamp" and all(type(bound) is Tensor for bound in (*args[1:], *keywords.values())):
            return  # the overload for tensors
        _check(frame, node, name, row, "scalar", (Tensor,), args, keywords)


def _check(
    frame: Frame,
    node: ast.AST,
    name: str,
    row: dict[int | str, str],
    need: SizeNeed,
    kinds: tuple[type[Value], ...],
    args: list[Value],
    keywords: dict[str, Value],
) -> None:
    written = len(node.args) if isinstance(node, ast.Call) else 0
    for place, value, where in placed(node, args, keywords, len(args) - written):
        parameter = row.get(place)
        if parameter is None:
            continue
        for part in value.items or [] if type(value) is Sequence else [value]:
            for choice in choices(part):
                if type(choice) is Sym and choice.backed and Sym in kinds:
                    frame.emit(Converted(frame.site(where), "plain float", choice))
                    return
                symbol = type(choice) is Sym and Sym in kinds
                scalar = type(choice) is Tensor and Tensor in kinds and choice.rank in (0, None)
                if (symbol or scalar) and isinstance(choice, (Tensor, Sym)) and is_loose(choice):
                    frame.emit(SizeGiven(frame.site(where), name, parameter, choice, need))
                    return


def _recomputed(keywords: dict[str, Value]) -> bool:
    """Whether the scale of an interpolation is only used to compute the size of the result."""
    return is_true(keywords.get("recompute_scale_factor"))
