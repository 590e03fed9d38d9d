"""Findings, fixes and units as JSON values, and back.

What is read back may come from anywhere: whoever restores a cache folder restores what others wrote into it. A value
that is not of the shape that is written here is none.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import fields
from typing import Any, Final, cast

from exportdb_rules.disk import LARGEST
from exportdb_rules.finding import (
    Applicability,
    Confidence,
    Edit,
    Finding,
    Fix,
    Mode,
    Position,
    Problem,
    Related,
    Span,
    Verdict,
)
from exportdb_rules.names import Names
from exportdb_rules.no_fix import NoFix
from exportdb_rules.report import BoundaryFinding, Entry, Unit
from exportdb_rules.terms import Demand, Term

_CODE: Final = re.compile(r"EDB\d{3,4}")
# No text has more rows or columns: larger files are not read.
_FARTHEST: Final = LARGEST + 1


def of_unit(unit: Unit) -> dict[str, Any]:
    """A unit as JSON."""
    return {
        "filename": unit.filename,
        "findings": [of_finding(finding) for finding in unit.findings],
        "outermost": [[item.class_key, of_finding(item.finding)] for item in unit.outermost],
        "called": list(unit.called),
        "problems": [_of_problem(problem) for problem in unit.problems],
        "entries": [[e.name, e.class_name, e.filename, of_span(e.span)] for e in unit.entries],
        "commented": unit.commented,
        "reached": list(unit.reached),
    }


def to_unit(value: dict[str, Any]) -> Unit:
    """The unit that JSON stands for. Raises LookupError, TypeError or ValueError where it is none."""
    return Unit(
        _text(value["filename"]),
        tuple([to_finding(entry) for entry in _list(value["findings"])]),
        tuple([BoundaryFinding(_text(key), to_finding(entry)) for key, entry in _list(value["outermost"])]),
        texts(value["called"]),
        tuple([_problem(entry) for entry in _list(value["problems"])]),
        tuple([_entry(entry) for entry in _list(value["entries"])]),
        _flag(value["commented"]),
        texts(value["reached"]),
    )


def of_names(state: str, names: Names) -> list[Any]:
    """What a file binds, in one state of it, as JSON."""
    return [state, sorted(names.bound), list(names.stars), None if names.public is None else sorted(names.public)]


def to_names(value: Any) -> tuple[str, Names]:
    """The names that JSON stands for, and the state of their file. Raises TypeError or ValueError where it is none."""
    state, bound, stars, public = _list(value)
    known = None if public is None else frozenset(texts(public))
    return _text(state), Names(frozenset(texts(bound)), texts(stars), known)


def _of_problem(problem: Problem) -> list[Any]:
    place = problem.position
    return [problem.filename, problem.message, None if place is None else [place.row, place.column], problem.note]


def _problem(value: list[Any]) -> Problem:
    filename, message, place, note = value
    row, column = (None, None) if place is None else place
    position = None if place is None else Position(_number(row), _number(column))
    return Problem(_text(filename), _text(message), position, note=_flag(note))


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
        _of_demand(finding.demand),
        finding.goal,
        finding.package,
    ]


def to_finding(value: list[Any]) -> Finding:
    """The finding that JSON stands for. Raises what `to_unit` raises."""
    code, name, message, filename, span, verdict, confidence, entry, case, related, fixable, demand, *rest = value
    goal, package = rest
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
        demand=_to_demand(demand),
        goal=_text(goal),
        package=_text(package),
    )


def _of_demand(demand: Demand | None) -> list[Any] | None:
    if demand is None:
        return None
    parts = None if demand.difference is None else [[list(product), by] for product, by in demand.difference.parts]
    return [
        demand.kind,
        demand.text,
        sorted(demand.dimensions),
        demand.dimension,
        demand.number,
        parts,
        demand.narrows,
    ]


def _to_demand(value: list[Any] | None) -> Demand | None:
    if value is None:
        return None
    kind, text, dimensions, dimension, number, parts, narrows = value
    difference = None
    if parts is not None:
        difference = Term(tuple([(texts(product), _whole(by)) for product, by in _list(parts)]))
    of = frozenset(texts(dimensions))
    return Demand(_text(kind), _text(text), of, _text(dimension), _whole(number), difference, _flag(narrows))


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError("no whole number")
    return value


_FLAGS: Final = tuple(field.name for field in fields(Fix) if field.type in (bool, "bool"))


def of_fix(fix: Fix | None) -> list[Any] | None:
    """A fix as JSON."""
    if fix is None:
        return None
    edits = [[of_span(edit.span), edit.content] for edit in fix.edits]
    return [fix.title, fix.applicability.value, edits, *(getattr(fix, name) for name in _FLAGS)]


def to_fix(value: list[Any] | None) -> Fix | None:
    """The fix that JSON stands for. Raises what `to_unit` raises."""
    if value is None:
        return None
    title, applicability, edits, *flags = value
    edited = tuple([Edit(to_span(span), _text(content)) for span, content in _list(edits)])
    if not edited or any(one.span.end > other.span.start for one, other in itertools.pairwise(edited)):
        raise ValueError("edits that are none, or overlap")
    said = {name: _flag(flag) for name, flag in zip(_FLAGS, flags, strict=True)}
    return Fix(_text(title), Applicability(applicability), edited, **said)


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
