"""What a branch does with the answer: raise, or go on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.terms import NEGATED, compared

if TYPE_CHECKING:
    from exportdb_rules.terms import Demand
    from exportdb_rules.values import Sym


def asserted(statement: ast.AST, node: ast.AST, value: Sym) -> Demand | None:
    """What must hold of sizes for a comparison `node` not to make a statement raise: an assert, a check, or an `if` that only
    raises. None where that is not known, or nothing that a declaration can say."""
    if value.asked is None or not isinstance(statement, (ast.Assert, ast.Call, ast.If)):
        return None
    test = statement.args[0] if isinstance(statement, ast.Call) else statement.test
    outcome = _outcome(test, node, not isinstance(statement, ast.If))
    operator, a, b = value.asked
    if outcome is None:
        return None
    operator = operator if outcome else NEGATED[operator]
    return None if operator == "!=" else compared(operator, a, b)


def _outcome(test: ast.expr, node: ast.AST, wanted: bool) -> bool | None:
    """What a part of a condition must come out as for the whole to come out as wanted, whatever the rest does."""
    if test is node:
        # Of `a < b < c` every comparison must hold; that one does not says nothing of the others.
        return wanted if wanted or not isinstance(test, ast.Compare) or len(test.ops) == 1 else None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _outcome(test.operand, node, not wanted)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is wanted:
        return next((found for part in test.values if (found := _outcome(part, node, wanted)) is not None), None)
    return None


def sequences_differ(value: Sym) -> bool | None:
    """Whether tuples or lists that were compared differ in the example; None where one pair of sizes was compared, and where
    that is not known."""
    if value.then is None or value.last.low is None or value.asked is None:
        return None
    return bool(value.last.low) is (value.asked[0] == "!=")


def raises_only(statement: ast.AST) -> bool:
    """Whether a statement is `if …:` that does nothing but raise (after making a message, perhaps)."""
    if not isinstance(statement, ast.If) or statement.orelse or not isinstance(statement.body[-1], ast.Raise):
        return False
    return all(isinstance(node, (ast.Assign, ast.Expr, ast.Raise, ast.AnnAssign)) for node in statement.body)
