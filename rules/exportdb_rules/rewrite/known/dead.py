"""Assignments that a fix made dead: what they computed is read nowhere any more, and computing it did nothing else.

`n = mask.sum()` that only a guard asked for goes with the guard.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.rewrite.edits import EditError, apply_from, lines_of, overlap
from exportdb_rules.rewrite.tree import below, dotted, only_statement, statements
from exportdb_rules.values import Const, Shape, Static, Sym, Tensor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.fix_site import FixSite

# What raises for no tensor, draws no number and writes nothing.
_TOTAL: Final = frozenset(
    ("any", "all", "sum", "count_nonzero", "numel", "size", "dim", "nonzero", "long", "float", "bool", "int", "abs", "detach",
     "cpu", "unique", "isnan", "isinf", "isfinite", "logical_not")
)  # fmt: skip
# On one number.
_OF_A_NUMBER: Final = frozenset(("item", "tolist"))
_BUILTINS: Final = frozenset(("int", "float", "bool", "len"))
_READING_ALL: Final = frozenset(("locals", "vars", "eval", "exec"))
_PLAIN: Final = (Tensor, Sym, Const, Static, Shape, lattice.Sequence)


def without_dead(place: FixSite, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits, and those that take out the assignments of the function that they make dead."""
    known = edits
    while True:
        found = _dead(place, known)
        if not found:
            return known
        known = tuple(sorted((*known, *found), key=lambda edit: edit.span))


def _dead(place: FixSite, edits: tuple[Edit, ...]) -> list[Edit]:
    tree, span = place.tree, place.tree.span(place.function)
    if span is None:
        return []
    rows = Span(Position(span.start.row, 1), Position(span.end.row, span.end.column))
    inside = [edit for edit in edits if rows.start < edit.span.start and edit.span.end <= rows.end]
    before, after = _reads(tree.text, rows, ()), _reads(tree.text, rows, inside)
    if before is None or after is None or before & _READING_ALL:
        return []
    found: list[Edit] = []
    for name in sorted(before - after):
        taken = _assignments(place, name, edits)
        found += taken if not overlap([*edits, *found, *taken]) else []
    return found


def _reads(text: str, rows: Span, edits: Sequence[Edit]) -> set[str] | None:
    """The names that the function in these rows reads when edits are made; None if it cannot be parsed."""
    try:
        body = apply_from(text, rows.start.row, lines_of(text).offset(rows.end), edits)
        tree = ast.parse(f"if 1:\n{body}" if body[:1].isspace() else body)
    except (EditError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _assignments(place: FixSite, name: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits that take out every assignment of a name; [] where one of them does more, or is changed by the fix itself."""
    bound = [n for n in below(place.function, cst.Name) if n.value == name]
    written: list[cst.CSTNode] = []
    taken: list[Edit] = []
    for block in below(place.function, cst.IndentedBlock):
        lines = [line for line in statements(block) if _binds(line, name)]
        written += lines
        if lines and len(lines) == len(block.body):
            return []
        taken += [place.tree.without_rows(line) for line in lines]
    single = all(_is_total(place, _value(line)) for line in written)
    gone = [edit.span for edit in edits]
    still = [n for n in bound if not any(_within(place.tree.span(n), span) for span in gone)]
    return taken if single and len(still) == len(written) else []


def _within(inner: Span | None, outer: Span) -> bool:
    return inner is not None and outer.start <= inner.start and inner.end <= outer.end


def _binds(line: cst.CSTNode, name: str) -> bool:
    """Whether a line does nothing but to give the name a value."""
    only = only_statement([line])
    return isinstance(only, cst.Assign) and len(only.targets) == 1 and dotted(only.targets[0].target) == name


def _value(line: cst.CSTNode) -> cst.BaseExpression:
    return cst.ensure_type(cst.ensure_type(line, cst.SimpleStatementLine).body[0], cst.Assign).value


def _is_total(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression can be left out: to compute it raises nothing and changes nothing."""
    if isinstance(node, (cst.Name, cst.Integer, cst.Float, cst.SimpleString)):
        return True
    if isinstance(node, cst.Attribute):
        return node.attr.value in ("shape", "ndim", "dtype", "device") and _is_plain(place, node.value)
    if isinstance(node, cst.UnaryOperation):
        return _is_total(place, node.expression) and _is_plain(place, node.expression)
    if isinstance(node, cst.Comparison):
        sides = [node.left, *[target.comparator for target in node.comparisons]]
        numbers = sum(isinstance(side, (cst.Integer, cst.Float)) for side in sides)
        return numbers >= len(sides) - 1 and all(_is_total(place, s) and _is_plain(place, s) for s in sides)
    if isinstance(node, cst.Subscript):
        return (
            isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape" and _is_total(place, node.value)
        )
    if not isinstance(node, cst.Call) or any(arg.star for arg in node.args):
        return False
    head, _, name = dotted(node.func).rpartition(".")
    given = [arg.value for arg in node.args]
    if name in _BUILTINS and not head:
        known = _is_plain if name == "len" else _is_number
        return len(given) == 1 and _is_total(place, given[0]) and known(place, given[0])
    if head == place.torch:
        return name in _TOTAL and len(given) == 1 and _is_total(place, given[0]) and _is_plain(place, given[0])
    if not isinstance(node.func, cst.Attribute) or node.args:
        return False
    of_a_number = node.func.attr.value in _OF_A_NUMBER and _is_number(place, node.func.value)
    known = node.func.attr.value in _TOTAL or of_a_number
    return known and _is_total(place, node.func.value) and _is_plain(place, node.func.value)


def _is_plain(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression is a tensor or a number: nothing whose methods and operators are somebody's own."""
    if isinstance(node, (cst.Integer, cst.Float)):
        return True
    value = place.inference.value(node)
    return value is not None and all(type(one) in _PLAIN for one in lattice.choices(value))


def _is_number(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression is a number, or a tensor of one."""
    value = place.inference.value(node)
    return value is not None and all(
        one.rank == 0 if type(one) is Tensor else type(one) is Sym for one in lattice.choices(value)
    )
