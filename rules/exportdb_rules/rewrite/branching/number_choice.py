"""A branch that only chooses a number by another number from data, as an expression that export does not branch on.

`torch.sym_ite(k > 3, 2.0, 0.5)` is a choice in the graph, and `min(k, 4)` a bound. Measured on torch 2.13, in both modes: a
symbol and a plain number are of two types for `sym_ite`, which it refuses while tracing; `min` and `max` of floats are
decided while tracing, those of ints are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.selection import only_statement
from exportdb_rules.rewrite.branching.where import cheap
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate, shared
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Select the number with torch.sym_ite"
TITLE_OF_BOUND: Final = "Replace the branch with min or max"


def choose_number(context: FixContext) -> tuple[Fix, ...]:
    """The fix for an `if` or a ternary whose sides are numbers and nothing else; () for any other."""
    try:
        place = locate(context)
        return shared(place, place.branch(), "number", lambda: _fix(place))
    except FixNotApplicable:
        return ()


def _fix(place: FixSite) -> tuple[Fix, ...]:
    node = place.branch()
    if isinstance(node, cst.IfExp):
        chosen, title = _chosen(place, node.test, node.body, node.orelse)
        return _fixed(place, node, chosen.with_changes(lpar=node.lpar, rpar=node.rpar), title)
    if not isinstance(place.upto(node)[-2], cst.IndentedBlock) or isinstance(node.orelse, cst.If):
        raise FixNotApplicable(NoFix.SHARED_LINE, "an elif")
    one = _assignment(node.body)
    target = one.targets[0].target
    if node.orelse is None:
        kept = next((side for side in _sides(node.test) if side.deep_equals(target)), None)
        if kept is None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no bound")
        value, title = _chosen(place, node.test, one.value, kept)
    else:
        other = _assignment(node.orelse.body)
        if not target.deep_equals(other.targets[0].target):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the sides assign different names")
        value, title = _chosen(place, node.test, one.value, other.value)
    line = statements(node.body)[0]
    if any(getattr(part, "comment", None) for part in (*getattr(line, "leading_lines", ()), node.body.header)):  # type: ignore[union-attr]
        raise FixNotApplicable(NoFix.SHARED_LINE, "a comment between the sides")
    new = cst.SimpleStatementLine([one.with_changes(value=value)], leading_lines=node.leading_lines)
    return _fixed(place, node, new, title)


def _fixed(place: FixSite, old: cst.CSTNode, new: cst.CSTNode, title: str) -> tuple[Fix, ...]:
    edits = validated_edits(place, replaced(place.tree, old, new))
    return (Fix(title, Applicability.SAFE, edits, preferred=True),) if edits else ()


def _assignment(block: cst.BaseSuite) -> cst.Assign:
    only = only_statement(statements(block))
    if not isinstance(only, cst.Assign) or len(only.targets) != 1 or not isinstance(only.targets[0].target, cst.Name):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than an assignment to a name")
    return only


def _chosen(
    place: FixSite, test: cst.BaseExpression, one: cst.BaseExpression, other: cst.BaseExpression
) -> tuple[cst.BaseExpression, str]:
    """`min` or `max` for a choice between the two numbers that the test compares, `torch.sym_ite(test, one, other)` for another;
    and the title of that.

    Raises:
        FixNotApplicable: that is not the same, or does not export.
    """
    _refuse_other_condition(place, test)
    code, sides = place.tree.code, _sides(test)
    kinds = {_kind(place, one), _kind(place, other)}
    if "" in kinds:
        raise FixNotApplicable(NoFix.NOT_A_TENSOR, "the sides are not numbers of one type")
    above = isinstance(test, cst.Comparison) and isinstance(
        test.comparisons[0].operator, (cst.GreaterThan, cst.GreaterThanEqual)
    )
    for first, second, bound in ((other, one, "min"), (one, other, "max")):
        if sides and first.deep_equals(sides[0]) and second.deep_equals(sides[1]):
            if any(not kind.startswith("int") for kind in kinds):
                raise FixNotApplicable(NoFix.PYTHON_NUMBER, "min and max of these numbers are decided while tracing")
            name = bound if above else {"min": "max", "max": "min"}[bound]
            return cst.parse_expression(f"{name}({code(sides[0])}, {code(sides[1])})"), TITLE_OF_BOUND
    if len(kinds) != 1 or not cheap(one) or not cheap(other):
        raise FixNotApplicable(NoFix.NOT_A_TENSOR, "the sides are not numbers of one type")
    return cst.parse_expression(f"{place.torch}.sym_ite({code(test)}, {code(one)}, {code(other)})"), TITLE


def _sides(test: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
    """The two numbers one of which a condition asks whether it is larger; () of another condition."""
    ordered = (cst.GreaterThan, cst.GreaterThanEqual, cst.LessThan, cst.LessThanEqual)
    one = (
        isinstance(test, cst.Comparison)
        and len(test.comparisons) == 1
        and isinstance(test.comparisons[0].operator, ordered)
    )
    return (test.left, test.comparisons[0].comparator) if one and isinstance(test, cst.Comparison) else ()


def _refuse_other_condition(place: FixSite, test: cst.BaseExpression) -> None:
    """Raises FixNotApplicable unless a condition is one comparison, which is a symbol wherever it is traced."""
    value = place.inference.value(test)
    symbols = [isinstance(c, domain.Sym) and not c.backed for c in lattice.choices(value)] if value is not None else []
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1 or not symbols or not all(symbols):
        raise FixNotApplicable(NoFix.MIXED_CONDITION, "the condition is not one comparison of a data-dependent number")


def _kind(place: FixSite, node: cst.BaseExpression) -> str:
    """The type of a number while tracing: `int`, `float`, `int symbol`, `float symbol` or `int size`; '' where that is not known."""
    value = place.inference.value(node)
    found = {_kind_of(choice) for choice in lattice.choices(value)} if value is not None else set[str]()
    return found.pop() if len(found) == 1 else ""


def _kind_of(value: domain.Value) -> str:
    if isinstance(value, domain.Const):
        return type(value.value).__name__ if type(value.value) in (int, float) else ""
    if isinstance(value, domain.Static):
        return value.type if value.type in ("int", "float") else ""
    if isinstance(value, domain.Sym) and value.type in ("int", "float"):
        return f"{value.type} {'size' if value.backed else 'symbol'}"
    return ""
