"""A parsed text in which something is edited: what stands around a node, and how a statement is taken away."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.refusal import FixNotApplicable

if TYPE_CHECKING:
    from exportdb_rules.definitions import Module


@dataclass
class SourceFile:
    """A text, with the node around each of its nodes."""

    module: Module
    parents: dict[int, ast.AST] = field(init=False, default_factory=dict[int, ast.AST])

    def __post_init__(self) -> None:
        for node in [node for statement in self.module.body for node in ast.walk(statement)]:
            for child in ast.iter_child_nodes(node):
                self.parents[id(child)] = node

    def span(self, node: ast.AST) -> Span:
        return self.module.lines.span(node)

    def code(self, node: ast.AST) -> str:
        return ast.get_source_segment(self.module.text, node) or ast.unparse(node)

    def without(self, statement: ast.AST) -> Edit:
        """The edit that takes away a statement; a comment behind it stays.

        Raises:
            FixNotApplicable: its rows hold something else, or its block nothing else.
        """
        above = self.parents.get(id(statement), ast.Module(self.module.body, []))
        blocks: list[list[ast.stmt]] = [getattr(above, name, None) or [] for name in ("body", "orelse", "finalbody")]
        count = next((len(block) for block in blocks if any(one is statement for one in block)), 0)
        span, rows = self.span(statement), self.module.lines.rows
        before, after = rows[span.start.row - 1][: span.start.column - 1], rows[span.end.row - 1][span.end.column - 1 :]
        comment = after.lstrip()
        if count < 2 or before.strip() or comment[:1] not in ("", "#"):
            raise FixNotApplicable(
                NoFix.SHARED_LINE, "the statement stands alone in its block, or not alone on its rows"
            )
        if comment:
            column = span.end.column + len(after) - len(comment)
            return Edit(Span(span.start, Position(span.end.row, column)), "")
        return Edit(Span(Position(span.start.row, 1), Position(span.end.row + 1, 1)), "")
