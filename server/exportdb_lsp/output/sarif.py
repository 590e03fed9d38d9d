"""SARIF 2.1.0, as code scanning services read it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from exportdb_rules.finding import Finding, Fix, Severity, Span
from exportdb_rules.rule import find

from exportdb_lsp import __version__
from exportdb_lsp.checking.fingerprint import fingerprints
from exportdb_lsp.files.names import posix, problem_line
from exportdb_lsp.links import SITE, rule_page
from exportdb_lsp.output.contract import verdicts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_lsp.checking.results import CheckedFinding, Problem

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


def write(
    found: Sequence[CheckedFinding], problems: Sequence[Problem], line: Callable[[str, int], str], out: TextIO
) -> None:
    """One log with one run. Files that could not be checked are notifications of the tool."""
    findings = [item.finding for item in found]
    codes = sorted({finding.code: finding.name for finding in findings}.items())
    index = {code: i for i, (code, _) in enumerate(codes)}
    marks = fingerprints([replace(item.finding, filename=item.place) for item in found], line)
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "exportdb-lsp",
                "version": __version__,
                "informationUri": SITE,
                "rules": [_rule(code, name) for code, name in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"uri": Path.cwd().as_uri() + "/"}},
        "results": [_result(item, index, mark) for item, mark in zip(found, marks, strict=True)],
        "invocations": [
            {
                "executionSuccessful": all(problem.note for problem in problems),
                "toolExecutionNotifications": [
                    {"level": "note" if problem.note else "error", "message": {"text": problem_line(problem)}}
                    for problem in problems
                ],
            }
        ],
    }
    json.dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, out, indent=2)
    out.write("\n")


def _rule(code: str, name: str) -> dict[str, Any]:
    rule = find(code)
    described: dict[str, Any] = {"id": code, "name": name, "helpUri": rule_page(name)}
    if rule is not None:
        summary = next((text for text in rule.documentation.splitlines() if text and not text.startswith("#")), name)
        described["shortDescription"] = {"text": summary}
        described["help"] = {"text": rule.documentation, "markdown": rule.documentation}
        described["properties"] = {"tags": ["torch.export", rule.family]}
    return described


def _result(item: CheckedFinding, index: dict[str, int], mark: str) -> dict[str, Any]:
    finding = item.finding
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index[finding.code],
        "level": _LEVELS[item.severity],
        "message": {"text": item.message},
        "locations": [_location(finding.filename, finding.span)],
        "partialFingerprints": {"exportdb/v1": mark},
        "properties": {
            "verdict": verdicts(finding),
            "confidence": finding.confidence.value,
            "entry": finding.entry,
        },
    }
    if item.cell is not None:
        # The region is one of the cell's text.
        result["locations"][0]["logicalLocations"] = [{"name": f"cell {item.cell}", "kind": "module"}]
        result["properties"]["cell"] = item.cell
    related = [(other.filename, other.span, other.message) for other in finding.related]
    if item.confirmation is not None:
        result["properties"]["export"] = item.confirmation.to_json()
        related += [(finding.filename, finding.span, words) for words in item.confirmation.words]
    if related:
        result["relatedLocations"] = [
            {**_location(filename, span), "id": number, "message": {"text": message}}
            for number, (filename, span, message) in enumerate(related, 1)
        ]
    if item.fix is not None and item.cell is None:
        result["fixes"] = [_fix(finding, item.fix)]
    return result


def _fix(finding: Finding, fix: Fix) -> dict[str, Any]:
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(finding.filename),
                "replacements": [
                    {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}}
                    for edit in fix.edits
                ],
            }
        ],
    }


def _location(filename: str, span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(filename), "region": _region(span)}}


def _artifact(filename: str) -> dict[str, Any]:
    relative = posix(filename)
    if os.path.isabs(relative):
        return {"uri": Path(filename).as_uri()}
    # Spaces and other letters that a URI may not hold; Path quotes them the way SARIF's readers expect.
    base = Path.cwd().as_uri() + "/"
    return {"uri": Path(os.path.abspath(filename)).as_uri().removeprefix(base), "uriBaseId": "SRCROOT"}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.start.row,
        "startColumn": span.start.column,
        "endLine": span.end.row,
        "endColumn": span.end.column,
    }
