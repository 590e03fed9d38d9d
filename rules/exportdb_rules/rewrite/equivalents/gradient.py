"""`torch.func.grad` and `jacrev` by directional derivatives, and what only autograd sees, kept out of the export.

Measured on torch 2.13, in both modes: `torch.func.grad`, `jacrev`, `jacfwd` and `hessian` leave tensors without data in
the graph, also under `torch.vmap`; `torch.func.jvp`, called once for each element of the input, gives the same numbers.
That is as many passes forwards as there are elements: it is offered for few of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.fix_site import FixSite, always_computed, new_name
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.known.signature import INTEGERS, TensorSignature, numeric
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Compute one torch.func.jvp per element (one forward pass each)"
MAX_ELEMENTS: Final = 32


def derivative_by_directions(context: FixContext) -> tuple[Fix, ...]:
    """`torch.func.grad(f)(x)` and `torch.func.jacrev(f)(x)` by `torch.func.jvp` along each element of x.

    `unsafe`: it takes longer, the last digits may differ, and an operator may have no derivative forwards.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _by_directions)


def _by_directions(place: FixSite) -> Iterable[Edit]:
    outer = place.call()
    made = None if outer is None else outer.func
    if outer is None or not isinstance(made, cst.Call) or not always_computed(place):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it is not called at once")
    kind = dotted(made.func).rpartition(".")[2]
    if kind not in ("grad", "jacrev") or not all(_only(call) for call in (made, outer)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    function, point = made.args[0].value, outer.args[0].value
    if isinstance(function, cst.Lambda) and len(parameters(function)) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a function of several tensors")
    if not isinstance(function, cst.Lambda) and not dotted(function):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a function by name")
    known = place.inference.infer(point, place.environment())
    sizes = numeric(known.shape) if isinstance(known, TensorSignature) else None
    if not dotted(point) or not isinstance(known, TensorSignature) or known.dtype in INTEGERS or known.dtype == "bool":
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "not a floating tensor by name")
    if not sizes or math.prod(sizes) > MAX_ELEMENTS:
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "too many elements, or not known how many")
    x, torch, along = place.tree.code(point), place.torch, new_name(place, "direction")
    basis = f"{torch}.eye({x}.numel(), dtype={x}.dtype, device={x}.device).reshape(-1, *{x}.shape)"
    each = f"[{torch}.func.jvp({place.tree.code(function)}, ({x},), ({along},))[1] for {along} in {basis}]"
    span = place.tree.span(outer)
    assert span is not None
    if kind == "grad":
        return (Edit(span, f"{torch}.stack({each}).reshape({x}.shape)"),)
    return (Edit(span, f"{torch}.stack({each}, -1).unflatten(-1, {x}.shape)"),)


def _only(call: cst.Call) -> bool:
    """Whether a call has one argument, by its place."""
    return len(call.args) == 1 and not call.args[0].star and call.args[0].keyword is None
