"""A plain bool that an operator wants, and that a dynamic size decides: both calls, and torch.cond between them.

Measured on torch 2.13, in both modes: `is_causal=n > 1` refuses the SymBool, `torch.cond(n > 1, …)` takes it. In eager
the comparison is a plain bool, and torch.cond only calls the one branch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.operands import in_order, listed, passed
from exportdb_rules.rewrite.branching.predicate import Predicates
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import TensorSignature
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Select between the two calls with torch.cond"


def flag_to_cond(context: FixContext) -> tuple[Fix, ...]:
    """A call whose flag a dynamic size decides, as torch.cond of the call with True and with False.

    `unsafe`: in eager torch.cond of a plain bool calls the one branch, and warns.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _chosen)


def _chosen(place: FixSite) -> Iterable[Edit]:
    call = place.call()
    if call is None or any(a.star for a in call.args) or not dotted(call.func):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain call")
    flags = [a for a in call.args if _flag(place, a.value)]
    if len(flags) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not one flag that a size decides")
    (flag,) = flags
    env = place.environment()
    known = place.inference.infer(call, dict(env))
    if not isinstance(known, TensorSignature) and not place.inference.is_tensor(call):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the call gives more than a tensor")
    others = [a.value for a in call.args if a is not flag]
    used = names(others)
    if used.writes or names(flag.value).writes:
        raise FixNotApplicable(NoFix.WALRUS, "a name is bound in the call")
    changed = side_effects(others)
    if changed.names or changed.unsupported or not all(_asks_size(one) for one in below(flag.value, cst.Call)):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the flag is decided before the other arguments are computed")
    read = dict.fromkeys(name for other in others for name in in_order(other))
    operands = [name for name in read if isinstance(env.get(name), TensorSignature)]
    given = passed(operands, env, [cst.Expr(o) for o in others])
    # Parts of one tensor share its storage, which the operator refuses of its operands.
    parts = [n for n in operands if _unpacked(place, n)]
    given = [f"{code}.clone()" if code in parts[1:] else code for code in given]
    place.inference.sizes = True
    predicate = Predicates(place.inference, place.torch).translate(flag.value, dict(env))
    codes = [
        place.tree.code(call.with_deep_changes(flag, value=cst.Name(word)).with_changes(lpar=[], rpar=[]))
        for word in ("True", "False")
    ]
    head = f"lambda {', '.join(operands)}" if operands else "lambda"
    tuple_ = f", {listed(given)}" if given else ""
    branches = ", ".join([f"{head}: {code}" for code in codes])
    whole = f"{place.torch}.cond({predicate.code}, {branches}{tuple_})"
    if predicate.guard:
        # What Python decides stays with it: the rest may not even have a value where it does not hold.
        one, two = (whole, codes[1]) if predicate.operator == "and" else (codes[0], whole)
        whole = f"({one} if {predicate.guard} else {two})"
    return (place.tree.edit(call, whole),)


def _asks_size(call: cst.Call) -> bool:
    """Whether a call does no more than to ask for a size."""
    method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
    return dotted(call.func) == "len" or method in ("size", "dim", "numel", "item")


def _unpacked(place: FixSite, name: str) -> bool:
    """Whether a name is bound together with others, to the parts of one value."""
    return any(
        isinstance(element.value, cst.Name) and element.value.value == name
        for target in below(place.function.body, cst.AssignTarget)
        for element in below(target.target, cst.Element)
    )


def _flag(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an argument is a bool that a dynamic size decides."""
    kinds = place.inference.kinds(node)
    return any(isinstance(c, domain.Sym) and c.backed and c.type == "bool" for c in kinds)
