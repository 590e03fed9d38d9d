"""`and`, `or`, `not`, chained comparisons and `bool()` of tensors, used as values: as logic on tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import joins
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.branching.condition import TENSOR, parenthesised
from exportdb_rules.rewrite.branching.predicate import Predicates
from exportdb_rules.rewrite.finished import finished
from exportdb_rules.rewrite.place import Place, locate
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import dotted, occurrences

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Compute the truth on tensors"


def truth_to_logic(context: FixContext) -> tuple[Fix, ...]:
    """`both = a and b` as `both = a & b`, and the like; () in a test, and where the value must be a Python bool.

    `unsafe`: where Python gave a bool, the result is a tensor without dimensions.
    """
    try:
        place = locate(context)
        node = _whole(place)
        statement = place.statement()
        if not isinstance(statement, cst.SimpleStatementLine):
            return ()
        env = place.inference.before(place.upto(statement))
        predicate = Predicates(place.inference, place.torch).translate(node, env)
        if predicate.kind != TENSOR or predicate.guard or not predicate.scalar or not _fits(place, node):
            return ()
    except Refused:
        return ()
    span = place.tree.span(node)
    assert span is not None
    bare = predicate.atomic or isinstance(place.path[place.path.index(node) - 1], (cst.Assign, cst.Return, cst.Arg))
    code = predicate.code if bare or node.lpar else parenthesised(predicate.code)
    edits = finished(place, (Edit(span, code),))
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def _whole(place: Place) -> cst.BaseExpression:
    """The outermost logical expression that the finding's expression decides."""
    found: cst.BaseExpression | None = None
    for node, child in zip(reversed(place.path[:-1]), reversed(place.path), strict=False):
        if isinstance(node, (cst.If, cst.While, cst.IfExp, cst.Assert)) and node.test is child:
            raise Refused("a test")
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
        raise Refused("no logical expression")
    return found


def _fits(place: Place, node: cst.BaseExpression) -> bool:
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


def _operand(place: Place, path: tuple[cst.CSTNode, ...]) -> bool:
    parent = path[-2]
    if isinstance(parent, cst.AssignTarget):
        return True
    if isinstance(parent, (cst.If, cst.While, cst.IfExp)):
        return parent.test is path[-1]
    if isinstance(parent, cst.BinaryOperation):
        value = place.inference.value(parent)
        return value is not None and all(type(c) is domain.Tensor for c in joins.choices(value))
    return False
