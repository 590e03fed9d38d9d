"""Lines that a fix makes longer than the lines of the file: broken at their brackets, as formatters do.

What a fix puts in an expression stands on the line that the expression stood on. A line that becomes too long is broken
inside the pair of its brackets that holds most of it, and inside its arguments where these are too long by themselves. Only
line ends, indentation and commas behind the last argument differ from what the fix wrote.
"""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.rewrite.edits import EditError, apply_from, lines_of
from exportdb_rules.rewrite.outline import same_code

if TYPE_CHECKING:
    from collections.abc import Iterable

# What formatters break lines at by default, and the longest lines that they are set to.
_DEFAULT: Final = 88
_LONGEST: Final = 120
_INDENT: Final = "    "


@dataclass
class _Group:
    """Edits that touch the same rows: those from `first` up to `end`."""

    first: int
    end: int
    edits: list[Edit]

    def applied(self, text: str) -> tuple[str, str]:
        """The rows before and after the edits."""
        end = lines_of(text).start(self.end)
        return apply_from(text, self.first, end, ()), apply_from(text, self.first, end, self.edits)


def fitting_lines(text: str, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits in the order of the text, those that make a line too long with that line broken."""
    limit = _limit(text)
    done: list[Edit] = []
    for group in _groups(edits):
        try:
            before, after = group.applied(text)
        except EditError:
            return edits
        known = set(_rows(before))
        rows = [_broken(row, limit) if row not in known else row for row in _rows(after)]
        start, end = Position(group.first, 1), Position(group.end, 1)
        done += group.edits if "".join(rows) == after else [Edit(Span(start, end), "".join(rows))]
    changed = tuple(done)
    return changed if changed == edits or same_code(text, edits, changed) else edits


# Asked for with each fix of a text.
@lru_cache(maxsize=4)
def _limit(text: str) -> int:
    """The length of the longest line of a text, but as long as formatters break lines at by default, and no longer than
    people let them."""
    return max(_DEFAULT, min(_LONGEST, max([len(row.rstrip()) for row in _rows(text)] or [0])))


def _groups(edits: Iterable[Edit]) -> list[_Group]:
    groups: list[_Group] = []
    for edit in sorted(edits, key=lambda edit: edit.span):
        first, last = edit.span.start.row, edit.span.end
        whole = last.column == 1 and edit.span.start.column == 1 and edit.content.endswith(("\n", "\r"))
        end = last.row if whole or (last.column == 1 and last.row > first and not edit.content) else last.row + 1
        if groups and first < groups[-1].end:
            groups[-1].end = max(groups[-1].end, end)
            groups[-1].edits.append(edit)
        else:
            groups.append(_Group(first, end, [edit]))
    return groups


def _rows(text: str) -> list[str]:
    return io.StringIO(text, newline="").readlines()


def _broken(row: str, limit: int) -> str:
    """A row with its end, over several lines where it is too long and can be."""
    code = row.rstrip("\r\n")
    end = row[len(code) :] or "\n"
    indent = code[: len(code) - len(code.lstrip())]
    return end.join(_lines(code.strip(), indent, limit)) + row[len(code) :]


def _lines(code: str, indent: str, limit: int) -> list[str]:
    line = indent + code
    brackets = _brackets(code) if len(line) > limit else None
    if brackets is None:
        return [line]
    opening, closing, commas, clauses = brackets
    inner = code[opening + 1 : closing].strip()
    deeper = indent + _INDENT
    if len(deeper + inner) <= limit:
        body = [deeper + inner]
    elif commas:
        cuts = [opening, *commas, closing]
        parts = [code[a + 1 : b].strip() for a, b in pairwise(cuts)]
        body = [made for part in parts if part for made in _lines(f"{part},", deeper, limit)]
    else:
        cuts = [opening + 1, *clauses, closing]
        body = [made for a, b in pairwise(cuts) for made in _lines(code[a:b].strip(), deeper, limit)]
    return [indent + code[: opening + 1], *body, indent + code[closing:]]


def _brackets(code: str) -> tuple[int, int, list[int], list[int]] | None:
    """The outermost pair of brackets that holds most of a line, by the columns, with the commas between what it holds, or the
    clauses of a comprehension; None if the line has no brackets, has a comment, or is a part of something."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    stack: list[int] = []
    best: tuple[int, int, list[int], list[int]] | None = None
    commas: list[int] = []
    clauses: list[int] = []
    # Commas of a lambda's parameters, or of the targets of a comprehension, stand between no arguments.
    lambdas = 0
    for index, token in enumerate(tokens):
        column = token.start[1]
        if token.type == tokenize.COMMENT or (token.start[0] > 1 and token.string.strip()):
            return None
        if token.type == tokenize.OP and token.string in "([{":
            if not stack:
                commas, clauses, lambdas = [], [], 0
            stack.append(column)
        elif token.type == tokenize.OP and token.string in ")]}":
            if not stack:
                return None
            opening = stack.pop()
            if not stack and column > opening + 1 and (best is None or column - opening > best[1] - best[0]):
                best = (opening, column, [] if clauses else commas, clauses)
        elif len(stack) == 1 and token.string == "lambda":
            lambdas += 1
        elif len(stack) == 1 and token.string in ("for", "async"):
            clauses += [column] if tokens[index - 1].string != "async" else []
        elif len(stack) == 1 and token.string == ":" and lambdas:
            lambdas -= 1
        elif len(stack) == 1 and token.string == "," and not lambdas:
            commas.append(column)
    return best if not stack else None
