"""Findings, fixes and units as JSON values, and back."""

from __future__ import annotations

from typing import Any

from exportdb_rules.finding import (
    Applicability,
    Confidence,
    Edit,
    Finding,
    Fix,
    Mode,
    Position,
    Related,
    Span,
    Verdict,
)
from exportdb_rules.report import Entry, Outermost, Problem, Unit


def of_unit(unit: Unit) -> dict[str, Any]:
    """A unit as JSON."""
    return {
        "filename": unit.filename,
        "findings": [of_finding(finding) for finding in unit.findings],
        "outermost": [[item.class_key, of_finding(item.finding)] for item in unit.outermost],
        "called": list(unit.called),
        "problems": [[p.filename, p.position.row, p.position.column, p.message, p.note] for p in unit.problems],
        "entries": [[e.name, e.class_name, e.filename, of_span(e.span)] for e in unit.entries],
        "commented": unit.commented,
    }


def to_unit(value: dict[str, Any]) -> Unit:
    """The unit that JSON stands for. Raises LookupError, TypeError or ValueError where it is none."""
    return Unit(
        value["filename"],
        tuple([to_finding(entry) for entry in value["findings"]]),
        tuple([Outermost(key, to_finding(entry)) for key, entry in value["outermost"]]),
        tuple(value["called"]),
        tuple([Problem(name, Position(r, c), text, note=note) for name, r, c, text, note in value["problems"]]),
        tuple([Entry(name, cls, filename, to_span(span)) for name, cls, filename, span in value["entries"]]),
        value["commented"],
    )


def of_finding(finding: Finding) -> list[Any]:
    """A finding as JSON."""
    return [
        finding.code,
        finding.name,
        finding.message,
        finding.filename,
        of_span(finding.span),
        [[mode.value, verdict.value] for mode, verdict in finding.verdict.items()],
        finding.confidence.value,
        finding.entry,
        finding.case,
        [[related.filename, of_span(related.span), related.message] for related in finding.related],
        finding.fixable,
    ]


def to_finding(value: list[Any]) -> Finding:
    """The finding that JSON stands for."""
    code, name, message, filename, span, verdict, confidence, entry, case, related, fixable = value
    return Finding(
        code=code,
        name=name,
        message=message,
        filename=filename,
        span=to_span(span),
        verdict={Mode(mode): Verdict(outcome) for mode, outcome in verdict},
        confidence=Confidence(confidence),
        entry=entry,
        case=case,
        related=tuple([Related(place, to_span(where), words) for place, where, words in related]),
        fixable=fixable,
    )


def of_fix(fix: Fix | None) -> list[Any] | None:
    """A fix as JSON."""
    if fix is None:
        return None
    edits = [[of_span(edit.span), edit.content] for edit in fix.edits]
    return [fix.title, fix.applicability.value, edits, fix.preferred]


def to_fix(value: list[Any] | None) -> Fix | None:
    """The fix that JSON stands for."""
    if value is None:
        return None
    title, applicability, edits, preferred = value
    edited = tuple([Edit(to_span(span), content) for span, content in edits])
    return Fix(title, Applicability(applicability), edited, preferred)


def of_span(span: Span) -> list[int]:
    """A span as JSON."""
    return [span.start.row, span.start.column, span.end.row, span.end.column]


def to_span(value: list[int]) -> Span:
    """The span that JSON stands for."""
    row, column, end_row, end_column = value
    return Span(Position(row, column), Position(end_row, end_column))
