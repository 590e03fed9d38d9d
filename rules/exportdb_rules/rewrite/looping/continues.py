"""`continue` in a branch, as the other side of the branch: what follows in the loop's body runs there, or nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.known.liveness import arms, contains, never_falls_through
from exportdb_rules.rewrite.refusal import FixNotApplicable

if TYPE_CHECKING:
    from exportdb_rules.rewrite.branching.branch_lowering import Statements


def folded(node: cst.If, rest: Statements) -> cst.If:
    """The branch with what follows it in the loop's body taken into the sides that go on, and without `continue`.

    Raises:
        FixNotApplicable: nothing runs on either side, or what follows would stand there twice.
    """
    body, other = (_without(side) for side in arms(node))
    on = [not never_falls_through(side) for side in arms(node)]
    if all(on) and rest:
        raise FixNotApplicable(NoFix.OTHER_EXIT, "the following statements would be duplicated")
    body, other = (_inner([*side, *rest] if goes else side) for side, goes in zip((body, other), on, strict=True))
    if not body and not other:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing is done on either side")
    header = node.body.header if isinstance(node.body, cst.IndentedBlock) else cst.TrailingWhitespace()
    if not body:
        # The side that goes on is the only one.
        test = node.test
        negated: cst.BaseExpression = cst.UnaryOperation(cst.Not(), test)
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            negated = test.expression
        return node.with_changes(
            test=negated, body=cst.IndentedBlock(_tidy(other, node), header=_quiet(header)), orelse=None
        )
    orelse = node.orelse if isinstance(node.orelse, cst.Else) else cst.Else(cst.IndentedBlock([]))
    made = orelse.with_changes(body=cst.IndentedBlock(other)) if other else None
    return node.with_changes(body=cst.IndentedBlock(body, header=header), orelse=made)


def _quiet(header: cst.TrailingWhitespace) -> cst.TrailingWhitespace:
    return header if header.comment is not None else cst.TrailingWhitespace(newline=cst.Newline())


def _tidy(block: Statements, node: cst.If) -> Statements:
    """A block that begins without blank lines, with the comments of the `continue` that it stands for."""
    first = block[0]
    lines = [one for one in getattr(first, "leading_lines", ()) if one.comment is not None]
    gone = arms(node)[0][-1]
    said = [one for one in getattr(gone, "leading_lines", ()) if one.comment is not None]
    trailing = getattr(gone, "trailing_whitespace", None)
    if trailing is not None and trailing.comment is not None:
        said.append(cst.EmptyLine(comment=trailing.comment))
    return [first.with_changes(leading_lines=[*said, *lines]), *block[1:]]


def _without(block: Statements) -> Statements:
    """A side without the `continue` at its end."""
    last = block[-1] if block else None
    if isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Continue):
        return [*block[:-1], *([last.with_changes(body=last.body[:-1])] if len(last.body) > 1 else [])]
    return block


def _inner(block: Statements) -> Statements:
    """Statements whose own branches have no `continue` either."""
    for index, statement in enumerate(block):
        if isinstance(statement, cst.If) and contains([statement], cst.Continue):
            return [*block[:index], folded(statement, block[index + 1 :])]
    return block
