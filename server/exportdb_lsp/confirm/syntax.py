"""Reading Python that somebody is in the middle of writing: one error for whatever the parser refuses, and no warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.source import syntax_tree

if TYPE_CHECKING:
    import ast


def parsed(text: str) -> ast.Module:
    """The tree of a text.

    Raises:
        SyntaxError: it is no Python; also where the parser says so in another way, of null bytes or of what is nested
            more deeply than it can follow.
    """
    try:
        return syntax_tree(text)
    except (RecursionError, MemoryError):
        raise SyntaxError("nested too deeply") from None
    except ValueError as error:
        raise SyntaxError(str(error)) from None
