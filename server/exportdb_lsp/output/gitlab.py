"""GitLab's Code Quality report."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from exportdb_rules.finding import Severity

from exportdb_lsp.checking.fingerprint import fingerprints
from exportdb_lsp.files.names import posix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_lsp.checking.results import CheckedFinding

_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFORMATION: "info",
    Severity.HINT: "info",
}


def write(found: Sequence[CheckedFinding], line: Callable[[str, int], str], out: TextIO) -> None:
    """One JSON array. `line` gives a line of a file by name and row."""
    marks = fingerprints([replace(item.finding, filename=item.place) for item in found], line)
    report = [
        {
            "description": f"{_cell(item)}{finding.code} {item.message}",
            "check_name": finding.name,
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[item.severity],
            "location": {
                "path": posix(finding.filename),
                # The rows of a cell are no rows of the file.
                "lines": {"begin": finding.span.start.row, "end": finding.span.end.row}
                if item.cell is None
                else {"begin": 1, "end": 1},
            },
        }
        for item, fingerprint in zip(found, marks, strict=True)
        if (finding := item.finding)
    ]
    json.dump(report, out, indent=2)
    out.write("\n")


def _cell(item: CheckedFinding) -> str:
    start = item.finding.span.start
    return "" if item.cell is None else f"cell {item.cell}:{start.row}:{start.column}: "
