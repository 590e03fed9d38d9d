"""Findings, fixes and units as JSON values, and back.

What is read back may come from anywhere: whoever restores a cache folder restores what others wrote into it. A value
that is not of the shape that is written here is none.
"""

from __future__ import annotations

import itertools
import re
from typing import Any, Final, cast

from exportdb_rules.disk import LARGEST
from exportdb_rules.finding import (
    Applicability,
    Confidence,
    Edit,
    Finding,
    Fix,
    Mode,
    NoFix,
    Position,
    Related,
    Span,
    Verdict,
)
from exportdb_rules.report import Entry, Outermost, Problem, Unit

_CODE: Final = re.compile(r"EDB\d{3}")
# No text has more rows or columns: larger files are not read.
_FARTHEST: Final = LARGEST + 1


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
        _text(value["filename"]),
        tuple([to_finding(entry) for entry in _list(value["findings"])]),
        tuple([Outermost(_text(key), to_finding(entry)) for key, entry in _list(value["outermost"])]),
        texts(value["called"]),
        tuple([_problem(entry) for entry in _list(value["problems"])]),
        tuple([_entry(entry) for entry in _list(value["entries"])]),
        _flag(value["commented"]),
    )


def _problem(value: list[Any]) -> Problem:
    filename, row, column, message, note = value
    return Problem(_text(filename), Position(_number(row), _number(column)), _text(message), note=_flag(note))


def _entry(value: list[Any]) -> Entry:
    name, class_name, filename, span = value
    return Entry(_text(name), None if class_name is None else _text(class_name), _text(filename), to_span(span))


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
    """The finding that JSON stands for. Raises what `to_unit` raises."""
    code, name, message, filename, span, verdict, confidence, entry, case, related, fixable = value
    if _CODE.fullmatch(code) is None or not verdict:
        raise ValueError(f"no finding: {code}")
    return Finding(
        code=code,
        name=_text(name),
        message=_text(message),
        filename=_text(filename),
        span=to_span(span),
        verdict={Mode(mode): Verdict(outcome) for mode, outcome in _list(verdict)},
        confidence=Confidence(confidence),
        entry=_text(entry),
        case=_text(case),
        related=tuple([Related(_text(place), to_span(where), _text(words)) for place, where, words in _list(related)]),
        fixable=_flag(fixable),
    )


def of_fix(fix: Fix | None) -> list[Any] | None:
    """A fix as JSON."""
    if fix is None:
        return None
    edits = [[of_span(edit.span), edit.content] for edit in fix.edits]
    return [fix.title, fix.applicability.value, edits, fix.preferred, fix.optional, fix.any_types, fix.arrays]


def to_fix(value: list[Any] | None) -> Fix | None:
    """The fix that JSON stands for. Raises what `to_unit` raises."""
    if value is None:
        return None
    title, applicability, edits, preferred, optional, any_types, arrays = value
    edited = tuple([Edit(to_span(span), _text(content)) for span, content in _list(edits)])
    if not edited or any(one.span.end > other.span.start for one, other in itertools.pairwise(edited)):
        raise ValueError("edits that are none, or overlap")
    flags = (_flag(preferred), _flag(optional), _flag(any_types), _flag(arrays))
    return Fix(_text(title), Applicability(applicability), edited, *flags)


def to_no_fix(value: str | None) -> NoFix | None:
    """The reason that JSON stands for. Raises what `to_unit` raises."""
    return None if value is None else NoFix(value)


def of_span(span: Span) -> list[int]:
    """A span as JSON."""
    return [span.start.row, span.start.column, span.end.row, span.end.column]


def to_span(value: list[Any]) -> Span:
    """The span that JSON stands for. Raises what `to_unit` raises."""
    row, column, end_row, end_column = map(_number, value)
    span = Span(Position(row, column), Position(end_row, end_column))
    if span.end < span.start:
        raise ValueError("a span that ends before it starts")
    return span


def texts(value: Any) -> tuple[str, ...]:
    """The texts of a list. Raises what `to_unit` raises."""
    return tuple([_text(item) for item in _list(value)])


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return cast("list[Any]", value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value


def _number(value: Any) -> int:
    """A row or a column."""
    if type(value) is not int or not 1 <= value <= _FARTHEST:
        raise ValueError("no place in a text")
    return value
