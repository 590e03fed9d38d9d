"""Options of `torch.onnx.export`: those that do nothing are left out, and `dynamic_axes` becomes `dynamic_shapes`."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import dotted, parameters_of
from exportdb_rules.export_calls import export_calls
from exportdb_rules.finding import Applicability, Edit, Fix, Position, Span
from exportdb_rules.interpreter.machine import AnalysisState
from exportdb_rules.no_fix import NoFix
from exportdb_rules.onnx_calls import arguments_of, forward_of, read_axes, taken
from exportdb_rules.project import Project
from exportdb_rules.rewrite.interface.source_file import SourceFile
from exportdb_rules.rewrite.outline import valid_edits
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.values import Tensor

if TYPE_CHECKING:
    from exportdb_rules.export_calls import ExportCall
    from exportdb_rules.onnx_calls import Named
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.values import Value

_BETWEEN: Final = re.compile(r"\s*,\s*")


@dataclass(frozen=True)
class _Place:
    """An option in its call."""

    file: SourceFile
    project: Project
    call: ExportCall
    keyword: ast.keyword


def without_option(context: FixContext, *, safe: bool) -> tuple[Fix, ...]:
    """The call without the option that the finding is about."""
    try:
        place = _place(context)
        edit = _left_out(place)
    except FixNotApplicable:
        return ()
    every = valid_edits(context.text, [edit])
    applicability = Applicability.SAFE if safe else Applicability.UNSAFE
    title = f"Remove `{place.keyword.arg}=`"
    return (Fix(title, applicability, every, preferred=True, any_types=safe),) if every else ()


def axes_as_shapes(context: FixContext, *, safe: bool) -> tuple[Fix, ...]:
    """`dynamic_axes=` as `dynamic_shapes=`, which declares the same axes of the inputs that the names mean.

    `safe` where the exporter makes the same of `dynamic_axes` itself.
    """
    try:
        place = _place(context)
        text = f"dynamic_shapes={_shapes(place)}"
    except FixNotApplicable:
        return ()
    every = valid_edits(context.text, [Edit(place.file.span(place.keyword), text)])
    applicability = Applicability.SAFE if safe else Applicability.UNSAFE
    title = "Declare the axes in `dynamic_shapes=`"
    return (Fix(title, applicability, every, preferred=True, any_types=safe),) if every else ()


def _place(context: FixContext) -> _Place:
    project = Project()
    project.set_text(context.finding.filename, context.text)
    module = project.whole(context.finding.filename)
    if module is None or module.problem is not None:
        raise FixNotApplicable(NoFix.NOT_PARSED, "the text does not parse")
    file = SourceFile(module)
    for call in export_calls(module):
        for keyword in call.node.keywords:
            if file.span(keyword) == context.finding.span:
                return _Place(file, project, call, keyword)
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "there is no option at this place")


def _left_out(place: _Place) -> Edit:
    """The edit that takes away an option, with one of the commas beside it; comments stay."""
    rows, span = place.file.module.lines.rows, place.file.span(place.keyword)
    order = sorted([*place.call.node.args, *place.call.node.keywords], key=lambda node: (node.lineno, node.col_offset))
    at = next(index for index, node in enumerate(order) if node is place.keyword)
    if at:
        before = place.file.span(order[at - 1]).end
        if _BETWEEN.fullmatch(_text(rows, before, span.start)):
            return Edit(Span(before, span.end), "")
    if at + 1 < len(order):
        after = place.file.span(order[at + 1]).start
        if _BETWEEN.fullmatch(_text(rows, span.end, after)):
            return Edit(Span(span.start, after), "")
    raise FixNotApplicable(NoFix.SHARED_LINE, "a comment or a parenthesis stands between the option and the others")


def _text(rows: list[str], start: Position, end: Position) -> str:
    """What stands between two places."""
    if start.row == end.row:
        return rows[start.row - 1][start.column - 1 : end.column - 1]
    return "\n".join(
        [rows[start.row - 1][start.column - 1 :], *rows[start.row : end.row - 1], rows[end.row - 1][: end.column - 1]]
    )


def _shapes(place: _Place) -> str:
    """The entries of `dynamic_shapes`, one for each parameter that is given a tensor."""
    forward = forward_of(place.project, place.call)
    if forward is None:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the model is not known from this file alone")
    axes, parameters = read_axes(place.call), taken(place.call, parameters_of(forward))
    if axes is None or parameters is None:
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the axes, names or inputs are not written out")
    meant = axes.meant(parameters)
    if meant is None:
        raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "an entry has the name of no input")
    given, state = arguments_of(place.call, parameters_of(forward)), AnalysisState(place.project)
    entries: list[str] = []
    for parameter, named in zip(parameters, meant, strict=True):
        value = state.value_of(place.call.scope.names, given[parameter]) if parameter in given else None
        entries.append(f'"{parameter}": {_entry(place.call, named, value)}')
    return "{" + ", ".join(entries) + "}"


def _entry(call: ExportCall, named: Named, value: Value | None) -> str:
    if not named:
        return "None"
    rank = value.rank if isinstance(value, Tensor) else None
    if rank is None and any(axis < 0 for axis in named):
        raise FixNotApplicable(
            NoFix.SHAPE_UNKNOWN, "an axis is counted from the end of an input whose number of dimensions is not known"
        )
    named = {axis if axis >= 0 else axis + (rank or 0): name for axis, name in named.items()}
    parts: list[str] = []
    for axis, name in named.items():
        parts.append(f"{axis}: {_dynamic(call) if name is None else _quoted(name)}")
    return "{" + ", ".join(parts) + "}"


def _quoted(name: str) -> str:
    return f'"{name}"' if name.isidentifier() else repr(name)


def _dynamic(call: ExportCall) -> str:
    """`Dim.DYNAMIC`, by a name for torch that the call itself has."""
    torch, _, _ = dotted(call.node.func).partition(".onnx.export")
    if torch == dotted(call.node.func):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the exporter is called by another name than torch.onnx.export")
    return f"{torch}.export.Dim.DYNAMIC"
