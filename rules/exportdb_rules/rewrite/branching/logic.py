"""`and`, `or`, `not`, chained comparisons and `bool()` of tensors, used as values: as logic on tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import TENSOR, parenthesised
from exportdb_rules.rewrite.branching.predicate import Predicates
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, occurrences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Compute the condition with tensor operators"


def truth_to_logic(context: FixContext) -> tuple[Fix, ...]:
    """`both = a and b` as `both = a & b`, and the like; () in a test, and where the value must be a Python bool.

    `unsafe`: where Python gave a bool, the result is a tensor without dimensions.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _on_tensors)


def _on_tensors(place: FixSite) -> Iterable[Edit]:
    node = _whole(place)
    if not isinstance(place.statement(), cst.SimpleStatementLine):
        raise FixNotApplicable(NoFix.SHARED_LINE, "in the head of a compound statement")
    env = place.environment()
    predicate = Predicates(place.inference, place.torch).translate(node, env)
    if predicate.kind != TENSOR or predicate.guard or not predicate.scalar or not _fits(place, node):
        raise FixNotApplicable(NoFix.NOT_A_SCALAR, "the value must be a Python bool, or may be more than a scalar")
    bare = predicate.atomic or isinstance(place.path[place.path.index(node) - 1], (cst.Assign, cst.Return, cst.Arg))
    return (place.tree.edit(node, predicate.code if bare or node.lpar else parenthesised(predicate.code)),)


def _whole(place: FixSite) -> cst.BaseExpression:
    """The outermost logical expression that the finding's expression decides."""
    found: cst.BaseExpression | None = None
    for node, child in zip(reversed(place.path[:-1]), reversed(place.path), strict=False):
        if isinstance(node, (cst.If, cst.While, cst.IfExp, cst.Assert)) and node.test is child:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a condition")
        negation = isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)
        conversion = isinstance(node, cst.Call) and dotted(node.func) == "bool"
        if negation or conversion or isinstance(node, (cst.BooleanOperation, cst.Comparison)):
            assert isinstance(node, cst.BaseExpression)
            found = node
        elif isinstance(node, (cst.BaseStatement, cst.BaseSmallStatement)) or not isinstance(
            node, (cst.Arg, cst.ComparisonTarget)
        ):
            break
    own = place.node
    if found is None and isinstance(own, (cst.Comparison, cst.Call)):
        found = own
    if found is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a logical expression")
    return found


def _fits(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether a tensor does here what the bool did: it is an operand of tensors, under its own or a name."""
    parent = place.path[place.path.index(node) - 1]
    if isinstance(parent, cst.BinaryOperation):
        return True
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
        return False
    target = parent.targets[0].target
    if not isinstance(target, cst.Name):
        return False
    uses = occurrences(place.function.body, target.value)
    return all(_operand(place, path) for path in uses)


def _operand(place: FixSite, path: tuple[cst.CSTNode, ...]) -> bool:
    parent = path[-2]
    if isinstance(parent, cst.AssignTarget):
        return True
    if isinstance(parent, (cst.If, cst.While, cst.IfExp)):
        return parent.test is path[-1]
    negated = isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not)
    if negated or isinstance(parent, cst.BooleanOperation):  # of a condition, which asks each operand for its truth
        return _operand(place, path[:-1])
    if isinstance(parent, cst.BinaryOperation):
        return place.inference.is_tensor(parent)
    return False
