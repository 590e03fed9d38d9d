"""Which sizes of an operator's tensors must be equal, and which its result has, where its signature says all of it.

`input: *b n, weight: k n, bias: #k -> *b k` reads as the annotations of jaxtyping do: a name that stands twice is one size,
`*b` is any number of sizes, `#k` may also be 1, `...` is not looked at, a number is that number. The parameters stand in their
order, with every name that they have in an overload; one without sizes is no tensor, or may have any. An operator with tensors of several ranks has a signature for each.

The signatures are those of torch's documentation; that export asks for these equalities was measured with torch 2.13
(`bench/operators.py --kind axis`, `tests/rules/test_sizes_demanded.py`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from exportdb_rules.interpreter.guards import aligned
from exportdb_rules.values import Const, Static, Tensor

if TYPE_CHECKING:
    from exportdb_rules.interpreter.dimensions import Dims
    from exportdb_rules.interpreter.shape_rules import OperatorCall

_SAME: Final = "input/x1/real/abs/mean: *#s, other/target/mask/x2/imag/angle/std: *#s"
_SAME_THREE: Final = "input/input1/anchor: *#s, target/input2/positive/other: *#s, var/target/negative: *#s"
_SQUARE: Final = "input: ... n n"
# The places of a picture are not compared for being equal (measured with torch 2.13).
_CLASSES: Final = (
    "input: n c h w, target: n i j, weight: c",
    "input: n c *s, target: n *s, weight: c",
    "input: *s, target: *s",
)
_CHANNELS: Final = "input: b c ..., running_mean: c, running_var: c, weight: c, bias: c"
_PRODUCT_OF_BATCHES: Final = "batch1: b n m, batch2: b m k"
_LU_SOLVE: Final = "A: *#b n n, pivots: *#b n, B: *#b n k"
_INTEGRATED: Final = "y: *#s, x: *#s"


def _several(names: str, *signatures: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(names.split(), signatures)


SIGNATURES: Final[dict[str, tuple[str, ...]]] = {
    **_several(
        "copy_ mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits masked_fill "
        "kl_div poisson_nll_loss soft_margin_loss hinge_embedding_loss dist pairwise_distance cosine_similarity complex polar "
        "cross multilabel_margin_loss normal",
        _SAME,
    ),
    **_several("where margin_ranking_loss triplet_margin_loss gaussian_nll_loss", _SAME_THREE),
    "cosine_embedding_loss": ("input1: #n #d, input2: #n #d, target: #n", _SAME),
    "cross_entropy": _CLASSES,
    "nll_loss": _CLASSES,
    "linear_cross_entropy": ("input: *n d, linear_weight: c d, target: *n",),
    "multi_margin_loss": ("input: n c, target: n, p, margin, weight: c",),
    "multilabel_soft_margin_loss": ("input: *#b #c, target: *#b #c, weight: #c",),
    **_several("dot vdot", "input: n, tensor: n ->"),
    "inner": ("input: *a n, other: *b n -> *a *b",),
    "mv": ("input: n m, vec: m -> n",),
    **_several("outer ger", "input: n, vec2: m -> n m"),
    "addr": ("input: #n #m, vec1: n, vec2: m -> n m",),
    "addmv": ("input: *#n, mat: *n m, vec: m -> *n",),
    "addmm": ("input: #n #k, mat1: n m, mat2: m k -> n k", "input: #k, mat1: n m, mat2: m k -> n k"),
    "baddbmm": (f"input: #b #n #k, {_PRODUCT_OF_BATCHES} -> b n k", f"input, {_PRODUCT_OF_BATCHES} -> b n k"),
    "addbmm": (f"input: #n #k, {_PRODUCT_OF_BATCHES} -> n k",),
    "linear": ("input: *b n, weight: k n, bias: #k -> *b k", "input: *b n, weight: n -> *b"),
    "bilinear": ("input1: *b n, input2: *b m, weight: k n m, bias: #k -> *b k",),
    "cdist": ("x1: *#b n d, x2: *#b m d, p, compute_mode",),
    "embedding": ("input: *b, weight: n d -> *b d",),
    **_several(
        "inv inverse inv_ex det slogdet logdet cholesky cholesky_ex cholesky_inverse ldl_factor ldl_factor_ex eigh eigvalsh eig "
        "eigvals matrix_exp matrix_power",
        _SQUARE,
    ),
    **_several("solve solve_ex", "A: n n, B: n -> n", "A: *#b n n, B: *#b n k -> *b n k"),
    "solve_triangular": ("A: *#b n n, B: *#b n k -> *b n k",),
    "triangular_solve": ("b: *#b n k, A: *#b n n",),
    "cholesky_solve": ("b: *#b n k, A: *#b n n -> *b n k",),
    # torch.lu_solve and torch.linalg.lu_solve
    "lu_solve": ("b: *#b n k, LU_data: *#b n n, LU_pivots: *#b n -> *b n k", _LU_SOLVE),
    "ldl_solve": (_LU_SOLVE,),
    **_several("batch_norm native_batch_norm instance_norm", _CHANNELS),
    "group_norm": ("input: b c ..., num_groups, weight: c, bias: c",),
    **_several(
        "grid_sample grid_sampler_2d grid_sampler_3d",
        "input: b c h w, grid: b n m 2 -> b c n m",
        "input: b c d h w, grid: b l n m 3 -> b c l n m",
    ),
    **_several("max_unpool1d max_unpool2d max_unpool3d", "input: *s, indices: *s"),
    "searchsorted": (
        "sorted_sequence: n, input/values: ..., out_int32, right, side, sorter: n",
        "sorted_sequence: *b n, input/values: *b m, out_int32, right, side, sorter: *b n",
    ),
    **_several("trapz trapezoid cumulative_trapezoid", _INTEGRATED),
    "view_as_complex": ("input: *s 2 -> *s",),
}
# Where one of these is other than this, the matrices are turned.
_TURNED: Final = {"left": True, "transpose": False}


class _Parameter(NamedTuple):
    names: list[str]
    sizes: tuple[str, ...] | None

    def places(self, dims: Dims) -> list[tuple[str, Dims]] | None:
        """The sizes of a tensor by their names in the signature; None where it has another number of dimensions."""
        sizes = self.sizes or ()
        several = next((at for at, size in enumerate(sizes) if size.startswith(("*", "..."))), None)
        if several is None:
            return [(size, (dim,)) for size, dim in zip(sizes, dims, strict=True)] if len(sizes) == len(dims) else None
        behind = len(sizes) - several - 1
        if len(dims) < several + behind:
            return None
        end = len(dims) - behind
        return [
            *((size, (dim,)) for size, dim in zip(sizes[:several], dims, strict=False)),
            (sizes[several], dims[several:end]),
            *((size, (dim,)) for size, dim in zip(sizes[several + 1 :], dims[end:], strict=True)),
        ]


@cache
def parsed(signature: str) -> tuple[list[_Parameter], tuple[str, ...] | None]:
    """The parameters, and the names of the sizes of the result: None where it says nothing of it."""
    head, arrow, result = signature.partition("->")
    parameters: list[_Parameter] = []
    for part in head.split(","):
        name, colon, sizes = part.strip().partition(":")
        parameters.append(_Parameter(name.split("/"), tuple(sizes.split()) if colon else None))
    return parameters, tuple(result.split()) if arrow else None


def sizes_of(call: OperatorCall) -> Dims | None:
    """The sizes of the result of an operator, and as facts what it demands of those of its tensors."""
    turned = [(call.keywords[name], plain) for name, plain in _TURNED.items() if name in call.keywords]
    if any(type(value) is not Const or value.value is not plain for value, plain in turned):
        return None
    for signature in SIGNATURES[call.name]:
        parameters, result = parsed(signature)
        bound = _bound(call, parameters)
        if bound is None:
            continue
        sizes = {name: _meet(call, places) for name, places in bound.items()}
        made = None if result is None else [sizes.get(name.lstrip("*")) for name in result]
        return None if made is None or None in made else tuple([dim for part in made for dim in part or ()])
    return None


def _bound(call: OperatorCall, parameters: list[_Parameter]) -> dict[str, list[tuple[str, Dims]]] | None:
    """What stands in the place of each name of a signature; None where a tensor has another number of dimensions."""
    found: dict[str, list[tuple[str, Dims]]] = {}
    for index, parameter in enumerate(parameters):
        value = call.given(index, *parameter.names)
        if parameter.sizes is None or type(value) is not Tensor or value.dims is None:
            continue
        places = parameter.places(value.dims)
        if places is None:
            return None
        for size, dims in places:
            found.setdefault(size.lstrip("*#"), []).append((size, dims))
    several = [places for places in found.values() if places[0][0].startswith("*") and "#" not in places[0][0]]
    return None if any(len({len(dims) for _, dims in places}) > 1 for places in several) else found


def _meet(call: OperatorCall, places: list[tuple[str, Dims]]) -> Dims | None:
    """The sizes under one name, which must be equal; None where it is not known what they are."""
    name = places[0][0]
    if name == "...":
        return None
    if name.isdigit():
        call.equal(places[0][1][0], Static("int", int(name)))
        return None
    broadcasts = any("#" in size for size, _ in places)
    return aligned(call.frame, call.node, call.name, [dims for _, dims in places], broadcasts=broadcasts)
