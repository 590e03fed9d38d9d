"""Findings and verdicts as diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.finding import Severity, Span
from exportdb_rules.suppression import CODE as UNUSED_SUPPRESSION
from lsprotocol import types

from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.links import case_page, graph_break_page, rule_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules import engine
    from exportdb_rules.finding import Finding

    from exportdb_lsp.confirm.result import ExportResult, Frame
    from exportdb_lsp.lsp.client import Client
    from exportdb_lsp.lsp.documents import Snapshot

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
_FAULTS: Final = frozenset({Outcome.FAILS, Outcome.DIVERGES, Outcome.SPECIALIZES})
_ROWS_OF_STACK: Final = 12


def finding_mark(finding: Finding, snapshot: Snapshot, client: Client, locate: Locate) -> types.Diagnostic:
    """A finding as a diagnostic of its part of the snapshot."""
    related = [
        types.DiagnosticRelatedInformation(locate(other.filename, other.span), other.message)
        for other in finding.related
    ]
    unused = finding.code == UNUSED_SUPPRESSION
    return types.Diagnostic(
        range=snapshot.locate(finding.span).range,
        message=finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(rule_page(finding.name)) if client.code_description else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if unused and client.unnecessary_tag else None,
        related_information=related if related and client.related else None,
        data=_data(finding) if client.diagnostic_data else None,
    )


def _data(finding: Finding) -> dict[str, object]:
    return {
        "name": finding.name,
        "entry": finding.entry,
        "confidence": finding.confidence.value,
        "verdict": {mode.value: verdict.value for mode, verdict in finding.verdict.items()},
        "fixable": finding.fixable,
    }


def problem_mark(problem: engine.Problem, snapshot: Snapshot) -> tuple[str, types.Diagnostic]:
    """Why a part of the file is not checked: the document to mark, and the mark. Python's own tools say it louder."""
    part = snapshot.part_at(problem.position.row)
    range_ = snapshot.range_in(part, Span(problem.position, problem.position))
    severity = types.DiagnosticSeverity.Information
    return part.uri, types.Diagnostic(range_, problem.message, severity, source=SOURCE)


def verdict_marks(
    results: Iterable[ExportResult], filename: str, locate: Locate, target_row: Callable[[ExportResult], int]
) -> list[tuple[str, types.Diagnostic]]:
    """What exports said of the lines of one file, with the document to mark. Same words in both modes are one mark."""
    found: dict[tuple[int, str], tuple[str, types.Diagnostic]] = {}
    modes: dict[tuple[int, str], list[str]] = {}
    targets: dict[tuple[int, str], str] = {}
    for result in results:
        if result.outcome is Outcome.OK:
            continue
        for row, text, mark in _marks(result, filename, locate, target_row):
            key = (row, f"{result.target}\0{text}")
            found.setdefault(key, (locate(filename, row).uri, mark))
            targets[key] = result.target
            modes.setdefault(key, []).append(result.mode.value)
    for key, (_, mark) in found.items():
        mark.message = f"{targets[key]} ({', '.join(modes[key])}): {mark.message}"
    return [found[key] for key in sorted(found)]


def _marks(
    result: ExportResult, filename: str, locate: Locate, target_row: Callable[[ExportResult], int]
) -> Iterable[tuple[int, str, types.Diagnostic]]:
    frame = result.frame
    where = frame.filename if frame is not None else result.filename
    if where == filename:
        row = frame.row if frame is not None else target_row(result)
        fault = result.outcome in _FAULTS
        yield (
            row,
            result.message,
            types.Diagnostic(
                range=locate(filename, row).range,
                message=result.message,
                severity=types.DiagnosticSeverity.Error if fault else types.DiagnosticSeverity.Warning,
                code=result.graph_break_id or result.outcome.value,
                code_description=_about(result),
                source=EXPORT_SOURCE,
                related_information=_stack(result, locate) or None,
                data={"target": result.target, "mode": result.mode.value, "outcome": result.outcome.value},
            ),
        )
    for failure in result.failures:
        place = failure.frame
        if place is None or place.filename != filename or (frame is not None and place == frame):
            continue
        reached = types.DiagnosticSeverity.Error if failure.reached else types.DiagnosticSeverity.Information
        mark = types.Diagnostic(
            range=locate(filename, place.row).range,
            message=failure.message,
            severity=reached,
            code=failure.code or Outcome.FAILS.value,
            source=EXPORT_SOURCE,
        )
        yield place.row, failure.message, mark


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
