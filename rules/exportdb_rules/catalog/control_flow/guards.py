"""What a branch does with the answer: raise, or go on."""

from __future__ import annotations

import ast


def raises_only(statement: ast.AST) -> bool:
    """Whether a statement is `if …:` that does nothing but raise (after making a message, perhaps)."""
    if not isinstance(statement, ast.If) or statement.orelse or not isinstance(statement.body[-1], ast.Raise):
        return False
    return all(isinstance(node, (ast.Assign, ast.Expr, ast.Raise, ast.AnnAssign)) for node in statement.body)
