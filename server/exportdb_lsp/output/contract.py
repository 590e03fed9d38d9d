"""A finding as the JSON object that `check --output-format json` promises. The one place where its keys are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exportdb_lsp.links import rule_page

if TYPE_CHECKING:
    from exportdb_rules.finding import Finding, Fix, Position

    from exportdb_lsp.checking.results import CheckedFinding


def to_json(found: CheckedFinding) -> dict[str, Any]:
    """The object of the contract; `related`, `case` and `export` come after the keys that the contract names.

    Of a finding in a notebook, `cell` is the number of its cell, and all places are those in the cell.
    """
    finding = found.finding
    cell = {} if found.cell is None else {"cell": found.cell}
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": finding.filename,
        "location": place(finding.span.start),
        "end_location": place(finding.span.end),
        "verdict": verdicts(finding),
        "severity": found.severity.value,
        "confidence": finding.confidence.value,
        "entry": finding.entry,
        "url": rule_page(finding.name),
        "fix": fix_to_json(found.fix) if found.fix else None,
        "no_fix": {"id": found.no_fix.value, "text": found.no_fix.text} if found.no_fix else None,
        "case": finding.case or None,
        "goal": finding.goal or None,
        "related": [
            {
                "filename": related.filename,
                "location": place(related.span.start),
                "end_location": place(related.span.end),
                "message": related.message,
            }
            for related in finding.related
        ],
        "export": found.confirmation.to_json() if found.confirmation else None,
        **cell,
    }


def fix_to_json(fix: Fix) -> dict[str, Any]:
    """A fix with its edits."""
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "edits": [
            {"content": edit.content, "location": place(edit.span.start), "end_location": place(edit.span.end)}
            for edit in fix.edits
        ],
    }


def verdicts(finding: Finding) -> dict[str, str]:
    """The verdicts by the name of the mode."""
    return {mode.value: verdict.value for mode, verdict in finding.verdict.items()}


def place(position: Position) -> dict[str, int]:
    """A position; rows and columns count from 1, columns count Unicode code points."""
    return {"row": position.row, "column": position.column}
