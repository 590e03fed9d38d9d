"""The blocks of a text that hold certain rows: a fix looks at these, and not at the whole text.

A class or a function is cut into its statements, and so on down. What is asked of a few rows costs what the statements
that hold them cost, however long the text is around them.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import libcst as cst

from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.rewrite.edits import EditError, apply, lines_of, overlap
from exportdb_rules.rewrite.effort import kept_with
from exportdb_rules.rewrite.parts import first_line, parts
from exportdb_rules.rewrite.tree import Tree, difference, parse, replace_all
from exportdb_rules.rewrite.written import written_in
from exportdb_rules.source import parses

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Segment:
    """Neighbouring statements of one block: `first` is their first row, with the comments above them, `end` the row
    behind them. `indents` is what the blocks around them are indented by, one after the other."""

    statements: tuple[cst.CSTNode, ...]
    first: int
    end: int
    indents: tuple[str, ...]


@kept_with
def first_rows(tree: Tree, block: cst.Module | cst.IndentedBlock) -> tuple[int, ...]:
    """The rows on which the statements of a block begin, with the comments above them."""
    if isinstance(block, cst.Module):
        return tuple([part.first for part in parts(block).all])
    return tuple([_first_row(tree, statement) for statement in block.body])


def _first_row(tree: Tree, statement: cst.CSTNode) -> int:
    place = tree.place(first_line(statement))
    assert place is not None
    return place[0]


def segment(tree: Tree, first: int, last: int, within: Collection[cst.CSTNode] = ()) -> Segment | None:
    """The smallest run of statements that holds these rows, and is no part of a block among the nodes `within`; None
    where the rows reach above the first statement of the text."""
    block: cst.Module | cst.IndentedBlock = tree.module
    end = lines_of(tree.text).count + 1
    indents: tuple[str, ...] = ()
    found: Segment | None = None
    while True:
        rows = first_rows(tree, block)
        start, stop = bisect_right(rows, first) - 1, bisect_right(rows, last) - 1
        if start < 0:
            return found
        behind = rows[stop + 1] if stop + 1 < len(rows) else end
        if last >= behind:
            return found
        found = Segment(tuple(block.body[start : stop + 1]), rows[start], behind, indents)
        only = block.body[start]
        if start != stop or not isinstance(only, (cst.ClassDef, cst.FunctionDef)):
            return found
        inner = only.body
        if not isinstance(inner, cst.IndentedBlock) or not inner.body or inner in within:
            return found
        indents = (*indents, tree.module.default_indent if inner.indent is None else inner.indent)
        block, end = inner, behind


def rewritten(tree: Tree, swaps: Sequence[tuple[cst.CSTNode, Any]]) -> tuple[Edit, ...]:
    """The edit that replaces nodes of the text by others, or takes them out: the lines that differ, as one piece.

    Where one of the nodes stands in another, the other one wins.
    """
    if len(swaps) == 1 and (edits := _rewritten_in_block(tree, *swaps[0])) is not None:
        return edits
    places = [place for old, _ in swaps if (place := tree.place(old)) is not None]
    if any(old is tree.module for old, _ in swaps):
        places = []
    around = (
        segment(tree, min(p[0] for p in places), max(p[2] for p in places), [old for old, _ in swaps])
        if places
        else None
    )
    if around is not None:
        lines = lines_of(tree.text)
        start = lines.start(around.first)
        before = "".join([written_in(tree.module, s, around.indents) for s in around.statements])
        if before and tree.text.startswith(before, start) and before.endswith(("\n", "\r")):
            # A module of their own: what is left of a line without its parts, libcst knows.
            whole = cst.Module(around.statements, default_newline=tree.module.default_newline)  # type: ignore[arg-type]
            done = replace_all(whole, swaps)
            if not done.body and around.indents:
                return difference(tree.text, replace_all(tree.module, swaps).code)  # the block says what is left of it
            after = "".join([written_in(tree.module, s, around.indents) for s in done.body])
            return tuple([_moved(edit, around.first - 1) for edit in difference(before, after)])
    return difference(tree.text, replace_all(tree.module, swaps).code)


def _rewritten_in_block(tree: Tree, old: cst.CSTNode, new: Any) -> tuple[Edit, ...] | None:
    """The same for a block of a function that differs in a few of its statements: the others are not looked at. None for
    anything else."""
    if not isinstance(old, cst.IndentedBlock) or not isinstance(new, cst.IndentedBlock):
        return None
    if (old.indent, old.header, old.footer) != (new.indent, new.header, new.footer):
        return None
    head, least = 0, min(len(old.body), len(new.body))
    while head < least and old.body[head] is new.body[head]:
        head += 1
    tail = 0
    while tail < least - head and old.body[-1 - tail] is new.body[-1 - tail]:
        tail += 1
    # Something must stand there, before and after.
    if head + tail == least and head:
        head -= 1
    elif head + tail == least and tail:
        tail -= 1
    before, after = old.body[head : len(old.body) - tail], new.body[head : len(new.body) - tail]
    places = [tree.place(statement) for statement in before]
    if not before or not after or None in places:
        return None
    rows = [row for place in places if place is not None for row in (place[0], place[2])]
    inner = [statement.body for statement in before if isinstance(statement, (cst.FunctionDef, cst.ClassDef))]
    around = segment(tree, min(rows), max(rows), inner)
    if around is None or around.statements != tuple(before):
        return None
    one, two = [
        "".join([written_in(tree.module, statement, around.indents) for statement in block])
        for block in (before, after)
    ]
    if not tree.text.startswith(one, lines_of(tree.text).start(around.first)) or not one.endswith(("\n", "\r")):
        return None
    return tuple([_moved(edit, around.first - 1) for edit in difference(one, two)])


def replaced(tree: Tree, old: cst.CSTNode, new: cst.CSTNode) -> tuple[Edit, ...]:
    """The edit that puts `new` in the place of `old`."""
    return rewritten(tree, [(old, new)])


def still_parses(text: str, edits: Iterable[Edit]) -> bool:
    """Whether a text is Python with these edits made.

    Raises:
        EditError: they overlap, or reach outside the text.
    """
    edits = sorted(edits, key=lambda edit: edit.span)
    if overlap(edits):
        raise EditError("the edits overlap")
    tree = parse(text)
    if tree is not None and _text_parses(text):
        touched = [segment(tree, edit.span.start.row, edit.span.end.row) for edit in edits]
        if all(_fits(tree.text, around, edits) for around in dict.fromkeys(touched)):
            return True
    return parses(apply(text, edits))


def valid_edits(text: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits in the order of the text; () where two of them overlap, or the text would be no Python after."""
    every = tuple(sorted(edits, key=lambda edit: edit.span))
    return every if not overlap(every) and still_parses(text, every) else ()


# The text as it stands is asked for with each fix of it.
_text_parses = lru_cache(maxsize=4)(parses)


def _fits(text: str, around: Segment | None, edits: Sequence[Edit]) -> bool:
    """Whether the statements of a segment are Python where they stand, with the edits among these that touch them: False
    where that is not sure."""
    code = _standing(text, around, edits)
    return code is not None and parses(code)


def same_code(text: str, edits: Sequence[Edit], other: Sequence[Edit]) -> bool:
    """Whether two ways to edit a text, in the order of its lines, make the same code of it: False where that is not sure.

    The rows that the edits of the first touch lie among those that the edits of the other touch.
    """
    tree = parse(text)
    if tree is None or not _text_parses(text):
        return False
    touched = dict.fromkeys(
        [segment(tree, edit.span.start.row, _last_row(edit)) for edit in other if edit not in edits]
    )
    return all(_code(text, around, edits) == _code(text, around, other) is not None for around in touched)


def _last_row(edit: Edit) -> int:
    """The last row that an edit touches: none of one before whose first column it ends."""
    start, end = edit.span.start, edit.span.end
    return end.row - (end.column == 1 and end.row > start.row)


def _code(text: str, around: Segment | None, edits: Sequence[Edit]) -> str | None:
    """The statements of a segment with its edits, without what their layout is; None where they are no Python."""
    code = _standing(text, around, edits)
    try:
        return None if code is None else ast.dump(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _standing(text: str, around: Segment | None, edits: Sequence[Edit]) -> str | None:
    """The statements of a segment with the edits among these that touch them, in blocks like those around them; None where
    nothing is left of them, or they have no line of their own."""
    if around is None:
        return None
    lines = lines_of(text)
    before = text[lines.start(around.first) : lines.start(around.end)]
    inside = [edit for edit in edits if around.first <= edit.span.start.row and _last_row(edit) < around.end]
    after = apply(before, [_moved(edit, 1 - around.first) for edit in inside])
    if not before.endswith("\n") or not after.endswith("\n"):
        return None
    if all(not line.strip() or line.lstrip().startswith("#") for line in after.split("\n")):
        return None  # nothing is left of them, and perhaps of the block that they are in
    # Between lines that are indented as they are in the text, in blocks like those around them: neither the code before
    # nor that behind becomes a part of another block.
    levels = ["".join(around.indents[:depth]) for depth in range(len(around.indents) + 1)]
    head = "".join([f"{level}if True:\n" for level in levels[:-1]])
    tail = "".join([f"{level}pass\n" for level in reversed(levels)])
    return f"{head}{levels[-1]}pass\n{after}{tail}"


def _moved(edit: Edit, rows: int) -> Edit:
    start, end = edit.span.start, edit.span.end
    return Edit(Span(Position(start.row + rows, start.column), Position(end.row + rows, end.column)), edit.content)
