"""Rows that a list comprehension keeps by a test of their data, as the rows that a mask picks.

Measured on torch 2.13, in both modes: `x[torch.vmap(lambda row: row.sum() > 0)(x)]` picks the rows that
`[row for row in x if row.sum() > 0]` keeps, none and all among them; what stacks the list has the rows themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.branching.predicate import single_value
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, all_names, locate
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, enclosing, occurrences, parse, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Select the rows with a mask"


def rows_to_mask(context: FixContext) -> tuple[Fix, ...]:
    """`rows = [row for row in x if …]` that is only stacked, as the rows of `x` that a mask picks.

    `unsafe`: what stacked no row raised, and a check does now.
    """
    tree = parse(context.text)
    path = () if tree is None else tree.path(context.finding.span)
    at = enclosing(path, cst.ListComp)
    span = tree.span(path[at]) if tree is not None and at >= 0 else None
    if span is None or not any(isinstance(n, cst.CompIf) for n in path[at:]):
        return ()
    try:
        place = locate(context, span)
        edits = validated_edits(place, tuple(sorted(_masked(place), key=lambda e: e.span)))
    except FixNotApplicable:
        return ()
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def _masked(place: FixSite) -> list[Edit]:
    comp = place.node
    assert isinstance(comp, cst.ListComp)
    clause = comp.for_in
    row, rows = clause.target, clause.iter
    if clause.inner_for_in is not None or clause.asynchronous is not None or len(clause.ifs) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than one loop or condition")
    if not isinstance(row, cst.Name) or dotted(comp.elt) != row.value or not isinstance(rows, cst.Name):
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "the rows are changed as well")
    value = place.inference.value(rows)
    kinds = lattice.choices(value) if value is not None else ()
    if not kinds or not all(type(c) is domain.Tensor for c in kinds):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no rows of a tensor")
    test = clause.ifs[0].test
    _check_test(test, row.value)
    assign = place.path[-2]
    target = assign.targets[0].target if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
    if not isinstance(target, cst.Name) or single_value(place.function, target.value) is not comp:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the list has no name of its own")
    changed = side_effects(statements(place.function.body))
    if changed.names or changed.unsupported:
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "the rows were views, and something is changed in place")
    taken = all_names(place.tree)
    keep = next(n for n in ("keep", "kept_rows", "keep_row") if n not in taken)
    uses = [u for u in occurrences(place.function.body, target.value) if not isinstance(u[-2], cst.AssignTarget)]
    parts = [_stacked(place, use, rows.value, target.value) for use in uses]
    line = next(n for n in reversed(place.path) if isinstance(n, cst.SimpleStatementLine))
    span, whole = place.tree.span(comp), place.tree.span(line)
    if len(parts) > 1 and any(empty for _, empty in parts):
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "each use made a tensor of its own")
    if span is None or whole is None or len(line.body) != 1 or not uses:
        raise FixNotApplicable(NoFix.SHARED_LINE, "the list is not used, or shares its line")
    torch, code = place.torch, place.tree.code(test)
    indent = " " * (whole.start.column - 1)
    flat = "" if _scalar(place, test, row.value) else ".reshape(-1)"
    mask = f"{keep} = {torch}.vmap(lambda {row.value}: {code})({rows.value}){flat}"
    check = (
        f'{torch}._assert_async({keep}.any(), "no row is kept")\n{indent}' if any(empty for _, empty in parts) else ""
    )
    start = place.tree.span(assign)
    assert start is not None
    made = f"{mask}\n{indent}{check}{target.value} = {rows.value}[{keep}]"
    return [Edit(start, made), *[edit for edit, _ in parts if edit is not None]]


def _check_test(test: cst.BaseExpression, row: str) -> None:
    """Raises FixNotApplicable unless a test is a comparison that tensors can make for all rows at once."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain comparison")
    if isinstance(test.comparisons[0].operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a comparison of numbers")
    for call in below(test, cst.Call):
        if not isinstance(call.func, cst.Attribute) or not _by_row(call.func.attr.value):
            raise FixNotApplicable(
                NoFix.TYPE_UNKNOWN, "what the condition computes is not known to work for all rows at once"
            )
    if row not in names(test).reads or names(test).writes:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the condition is not of the row")


def _by_row(name: str) -> bool:
    """Whether an operator gives a tensor of its own from each row, and torch.vmap can do it for all rows at once."""
    row = operator(name)
    return row.fresh and row.vmap and row.shape in ("same", "reduced")


def _scalar(place: FixSite, test: cst.BaseExpression, row: str) -> bool:
    """Whether a test compares a reduction of the row with a number."""
    assert isinstance(test, cst.Comparison)
    left, right = test.left, test.comparisons[0].comparator
    reduced = (
        isinstance(left, cst.Call)
        and isinstance(left.func, cst.Attribute)
        and operator(left.func.attr.value).shape == "reduced"
        and not left.args
        and not any(c.args for c in below(left, cst.Call))
    )
    return reduced and isinstance(right, (cst.Integer, cst.Float, cst.UnaryOperation)) and row not in names(right).reads


def _stacked(place: FixSite, use: tuple[cst.CSTNode, ...], rows: str, name: str) -> tuple[Edit | None, bool]:
    """The edit for a use of the list, and whether it raised where no row was kept.

    Raises:
        FixNotApplicable: more is done with the list than to stack it.
    """
    torch = place.torch
    call = next((n for n in reversed(use) if isinstance(n, cst.Call)), None)
    if call is None or dotted(call.func) != f"{torch}.stack" or len(call.args) != 1 or call.args[0].star:
        raise FixNotApplicable(NoFix.RESULT_USED, "the list is used as a list")
    span = place.tree.span(call)
    assert span is not None
    given = call.args[0].value
    if given is use[-1]:
        return Edit(span, name), True
    if not isinstance(given, (cst.List, cst.Tuple)):
        raise FixNotApplicable(NoFix.RESULT_USED, "the list is used as a list")
    parts: list[str] = []
    plain = False
    for element in given.elements:
        value = element.value
        if isinstance(element, cst.StarredElement):
            if not isinstance(value, cst.Name) or value.value != name:
                raise FixNotApplicable(NoFix.RESULT_USED, "another list is unpacked")
            parts.append(name)
            continue
        if not _is_row(value, rows):
            raise FixNotApplicable(NoFix.LOOP_RESULTS, "an element that is not a row")
        plain = True
        parts.append(f"{place.tree.code(value)}.unsqueeze(0)")
    return Edit(span, f"{torch}.cat([{', '.join(parts)}])"), not plain


def _is_row(node: cst.BaseExpression, rows: str) -> bool:
    """Whether an expression is `x[0]`: a row of the same tensor."""
    index = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
    return (
        isinstance(node, cst.Subscript)
        and dotted(node.value) == rows
        and isinstance(index, cst.Index)
        and (isinstance(index.value, cst.Integer) or isinstance(getattr(index.value, "expression", None), cst.Integer))
    )
