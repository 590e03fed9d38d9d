"""What a finding is called from one run to the next, whatever was written above it meanwhile."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from exportdb_lsp.files.names import posix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.finding import Finding


def fingerprints(findings: Iterable[Finding], line: Callable[[str, int], str]) -> list[str]:
    """A fingerprint for each finding: its rule, file and the text of its line; equal ones are numbered.

    Row and column are left out, so a line that moves keeps its fingerprint; `line` gives a line by file and row.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    result: list[str] = []
    for finding in findings:
        words = " ".join(line(finding.filename, finding.span.start.row).split())
        key = (finding.code, posix(finding.filename), words)
        seen[key] += 1
        result.append(hashlib.sha256("\0".join([*key, str(seen[key])]).encode()).hexdigest())
    return result
