"""GitLab's Code Quality report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

from exportdb_rules.finding import Severity

from exportdb_lsp.checking.fingerprint import fingerprints
from exportdb_lsp.files.names import posix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_lsp.checking.results import Found

_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFORMATION: "info",
    Severity.HINT: "info",
}


def write(found: Sequence[Found], line: Callable[[str, int], str], out: TextIO) -> None:
    """One JSON array. `line` gives a line of a file by name and row."""
    findings = [item.finding for item in found]
    report = [
        {
            "description": f"{finding.code} {finding.message}",
            "check_name": finding.name,
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": posix(finding.filename),
                "lines": {"begin": finding.span.start.row, "end": finding.span.end.row},
            },
        }
        for finding, fingerprint in zip(findings, fingerprints(findings, line), strict=True)
    ]
    json.dump(report, out, indent=2)
    out.write("\n")
