"""Comments that silence a finding, as edits: on its line, or for the whole file."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from typing import TYPE_CHECKING, Final

from exportdb_rules import suppression
from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.rewrite.edits import EditError, apply

if TYPE_CHECKING:
    from exportdb_rules.finding import Finding

    from exportdb_lsp.lsp.positions import LineIndex

_LISTED: Final = re.compile(r"#\s*exportdb:\s*ignore\[([^\]]*)\]", re.IGNORECASE)
# PEP 263: what may stand above the first comment without losing its meaning.
_FIRST_LINES: Final = re.compile(r"^(#!|#.*coding[:=])")


def on_line(lines: LineIndex, finding: Finding) -> Edit | None:
    """A comment on the first or the last line of the finding; None where neither can carry one."""
    for row in dict.fromkeys((finding.span.start.row, finding.span.end.row)):
        edit = _at_row(lines, row, finding.code)
        if edit is not None and _works(lines.text, edit, finding):
            return edit
    return None


def in_file(lines: LineIndex, finding: Finding) -> Edit | None:
    """A comment at the top that silences the rule in the whole file."""
    row = 1
    while row <= min(2, len(lines)) and _FIRST_LINES.match(lines.line(row - 1)):
        row += 1
    if row > len(lines):
        return None
    place = Position(row, 1)
    edit = Edit(Span(place, place), f"# exportdb: ignore-file[{finding.code}]\n")
    return edit if _parses_as_before(lines.text, edit) else None


def _at_row(lines: LineIndex, row: int, code: str) -> Edit | None:
    line = lines.line(row - 1)
    comment = _comment_column(lines.text, row)
    if comment is not None and (match := _LISTED.search(line, comment)):
        place = Position(row, match.end(1) + 1)
        return Edit(Span(place, place), f", {code}" if match[1].strip() else code)
    text = line.rstrip()
    if text.endswith("\\"):
        return None
    place = Position(row, len(text) + 1)
    return Edit(Span(place, Position(row, len(line) + 1)), f"  # exportdb: ignore[{code}]")


def _comment_column(text: str, row: int) -> int | None:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and token.start[0] == row:
                return token.start[1]
            if token.start[0] > row:
                return None
    except (tokenize.TokenError, SyntaxError):
        pass
    return None


def _works(text: str, edit: Edit, finding: Finding) -> bool:
    """Whether the comment is one (not a part of a string), and silences just this finding's line."""
    try:
        changed = apply(text, [edit])
    except EditError:
        return False
    found = suppression.parse(changed)
    silenced = any(
        not comment.file and comment.row == edit.span.start.row and comment.covers(finding) for comment in found
    )
    return silenced and _parses_as_before(text, edit)


def _parses_as_before(text: str, edit: Edit) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(text)) == ast.dump(ast.parse(apply(text, [edit])))
    except (SyntaxError, ValueError, RecursionError, MemoryError, EditError):
        # Of a text that is half-typed nothing can be said; a comment at the end of a line is right nearly always.
        return True
