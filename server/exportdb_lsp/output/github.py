"""Workflow commands that GitHub Actions turns into annotations of the changed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from exportdb_rules.finding import Severity

from exportdb_lsp.checking.results import cell_name
from exportdb_lsp.files.names import posix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_lsp.checking.results import CheckedFinding

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def write(found: Sequence[CheckedFinding], out: TextIO) -> None:
    """One workflow command a finding."""
    for item in found:
        finding = item.finding
        start, end = finding.span.start, finding.span.end
        # The rows of a cell are no rows of the file.
        first, last = (start.row, end.row) if item.cell is None else (1, 1)
        properties = {
            "title": f"exportdb ({finding.code})",
            "file": posix(finding.filename),
            "line": str(first),
            "endLine": str(last),
        }
        # GitHub takes columns only where both ends stand on one line.
        if start.row == end.row and item.cell is None:
            properties |= {"col": str(start.column), "endColumn": str(end.column)}
        listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
        place = f"{cell_name(posix(finding.filename), item.cell)}:{start.row}:{start.column}"
        message = f"{place}: {finding.code} {item.message}"
        out.write(f"::{_COMMANDS[item.severity]} {listed}::{_data(message)}\n")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
