"""Findings and verdicts as diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.finding import START, Severity, Span
from exportdb_rules.suppression import CODE as UNUSED_SUPPRESSION
from lsprotocol import types

from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.links import case_page, graph_break_page, rule_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules import engine
    from exportdb_rules.finding import Finding

    from exportdb_lsp.confirm.confirmation import Confirmation, Remark
    from exportdb_lsp.confirm.result import ExportResult, Frame
    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

    Locate = Callable[[str, Span | int], types.Location]
    """Where a span, or a whole row, of any file stands."""

SOURCE: Final = "exportdb"
EXPORT_SOURCE: Final = "exportdb (export)"

_SEVERITIES: Final = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
# What says something of the model is an error; what only says that nothing was learned is a warning.
_ROWS_OF_STACK: Final = 12


def finding_diagnostic(
    finding: Finding,
    snapshot: Snapshot,
    server: ExportServer,
    confirmation: Confirmation | None = None,
) -> types.Diagnostic:
    """A finding, with what exports said of it, as a diagnostic of its part of the snapshot."""
    client, locate = server.client, server.locate
    related = [
        types.DiagnosticRelatedInformation(locate(other.filename, other.span), other.message)
        for other in finding.related
    ]
    message, severity = finding.message, finding.severity
    if confirmation is not None:
        message = f"{message} ({confirmation.note})"
        severity = confirmation.severity(finding, server.place(snapshot.filename).engine.modes)
        related = [*_said(finding, confirmation, locate), *related]
    unused = finding.code == UNUSED_SUPPRESSION
    return types.Diagnostic(
        range=snapshot.locate(finding.span).range,
        message=message,
        severity=_SEVERITIES[severity],
        code=finding.code,
        code_description=types.CodeDescription(rule_page(finding.name)) if client.code_description else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if unused and client.unnecessary_tag else None,
        related_information=related if related and client.related else None,
        data=_data(finding, confirmation) if client.diagnostic_data else None,
    )


def _data(finding: Finding, confirmation: Confirmation | None) -> dict[str, object]:
    return {
        "name": finding.name,
        "entry": finding.entry,
        "confidence": finding.confidence.value,
        "verdict": {mode.value: verdict.value for mode, verdict in finding.verdict.items()},
        "fixable": finding.fixable,
        **({} if confirmation is None else {"export": confirmation.to_json()}),
    }


def _said(finding: Finding, confirmation: Confirmation, locate: Locate) -> Iterable[types.DiagnosticRelatedInformation]:
    """What each export said, and the calls that led there."""
    here = locate(finding.filename, finding.span)
    found = [types.DiagnosticRelatedInformation(here, words) for words in confirmation.words]
    if confirmation.confirmed and not finding.related:
        found += _stack(confirmation.remarks[0].result, locate)
    return found[:_ROWS_OF_STACK]


def problem_diagnostic(problem: engine.Problem, snapshot: Snapshot) -> tuple[str, types.Diagnostic]:
    """Why a part of the file is not checked: the document, and the diagnostic. Python's own tools say it louder."""
    position = problem.position or START
    part = snapshot.part_at(position.row)
    range_ = snapshot.range_in(part, Span(position, position))
    severity = types.DiagnosticSeverity.Information
    return part.uri, types.Diagnostic(range_, problem.message, severity, source=SOURCE)


def remark_diagnostics(
    remarks: Iterable[Remark], filename: str, server: ExportServer
) -> list[tuple[str, types.Diagnostic]]:
    """What exports said of the lines of one file, with its document. Same words in both modes are one diagnostic."""
    found: dict[tuple[int, str], tuple[str, types.Diagnostic]] = {}
    modes: dict[tuple[int, str], list[str]] = {}
    targets: dict[tuple[int, str], str] = {}
    for remark in remarks:
        result, frame = remark.result, remark.frame
        if (frame.filename if frame is not None else result.filename) != filename:
            continue
        row = frame.row if frame is not None else server.target_row(result)
        key = (row, f"{result.target}\0{remark.message}")
        if key not in found:
            place = server.locate(filename, row)
            found[key] = (place.uri, _remark_diagnostic(remark, place.range, server))
        targets[key] = result.target
        modes.setdefault(key, []).append(result.mode.value)
    for key, (_, item) in found.items():
        item.message = f"{targets[key]} ({', '.join(modes[key])}): {item.message}"
    return [found[key] for key in sorted(found)]


def _remark_diagnostic(remark: Remark, range_: types.Range, server: ExportServer) -> types.Diagnostic:
    result = remark.result
    if remark.later:
        severity = types.DiagnosticSeverity.Error if remark.reached else types.DiagnosticSeverity.Information
        code = remark.code or Outcome.FAILS.value
        return types.Diagnostic(range_, remark.message, severity, code, source=EXPORT_SOURCE)
    fault = result.outcome.is_fault
    return types.Diagnostic(
        range=range_,
        message=remark.message,
        severity=types.DiagnosticSeverity.Error if fault else types.DiagnosticSeverity.Warning,
        code=result.graph_break_id or result.outcome.value,
        code_description=_about(result),
        source=EXPORT_SOURCE,
        related_information=(_stack(result, server.locate) or None) if server.client.related else None,
        data={"target": result.target, "mode": result.mode.value, "outcome": result.outcome.value},
    )


def _about(result: ExportResult) -> types.CodeDescription | None:
    """The page of what stands as the code: torch's, of a graph break, else that of the case."""
    if result.graph_break_id:
        return types.CodeDescription(graph_break_page(result.graph_break_id))
    return types.CodeDescription(case_page(result.case)) if result.case else None


def _stack(result: ExportResult, locate: Locate) -> list[types.DiagnosticRelatedInformation]:
    def row(frame: Frame, message: str) -> types.DiagnosticRelatedInformation:
        return types.DiagnosticRelatedInformation(locate(frame.filename, frame.row), message)

    origin = [row(frame, "the data-dependent value is created here") for frame in result.origin[-1:]]
    calls = [row(frame, f"called here: {frame.code.strip()}") for frame in reversed(result.frames[:-1])]
    return (origin + calls)[:_ROWS_OF_STACK]
