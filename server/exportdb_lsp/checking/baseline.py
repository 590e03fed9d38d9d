"""A baseline: the findings that a project has decided to live with, so that only new ones fail."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from exportdb_rules.disk import LARGEST_KEPT, read_bytes

from exportdb_lsp.checking.fingerprint import fingerprints
from exportdb_lsp.files.names import posix
from exportdb_lsp.files.rewriting import replace_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from exportdb_lsp.checking.results import CheckedFinding

VERSION = 1


class BaselineError(Exception):
    """A baseline file that cannot be used; a sentence for people."""


@dataclass(frozen=True)
class Baseline:
    """The fingerprints of the known findings."""

    known: frozenset[str]

    def new(self, found: Sequence[CheckedFinding], line: Callable[[str, int], str]) -> list[CheckedFinding]:
        """Those findings that the baseline does not know."""
        prints = fingerprints([item.finding for item in found], line)
        return [item for item, fingerprint in zip(found, prints, strict=True) if fingerprint not in self.known]


def read(path: Path) -> Baseline:
    """Read a baseline. Raises BaselineError."""
    try:
        content: object = json.loads(read_bytes(path, LARGEST_KEPT))
    except OSError as error:
        raise BaselineError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"{path}: not a baseline: {error}") from None
    table = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
    findings: object = table.get("findings")
    if table.get("version") != VERSION or not isinstance(findings, list):
        raise BaselineError(f"{path}: a baseline of another version; rewrite it with --write-baseline")
    known: set[str] = set()
    for entry in cast("list[object]", findings):
        fingerprint = cast("dict[str, object]", entry).get("fingerprint") if isinstance(entry, dict) else None
        if not isinstance(fingerprint, str):
            raise BaselineError(f"{path}: not a baseline: a finding without its fingerprint")
        known.add(fingerprint)
    return Baseline(frozenset(known))


def write(path: Path, found: Sequence[CheckedFinding], line: Callable[[str, int], str]) -> None:
    """Write all findings as known. Sorted, and with words that a reviewer can read. Raises BaselineError."""
    findings = [item.finding for item in found]
    entries = [
        {
            "code": finding.code,
            "filename": posix(finding.filename),
            "line": line(finding.filename, finding.span.start.row).strip(),
            "fingerprint": fingerprint,
        }
        for finding, fingerprint in zip(findings, fingerprints(findings, line), strict=True)
    ]
    entries.sort(key=lambda entry: (entry["filename"], entry["code"], entry["fingerprint"]))
    text = json.dumps({"version": VERSION, "findings": entries}, indent=1, ensure_ascii=False) + "\n"
    try:
        replace_atomically(path, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise BaselineError(f"{path}: cannot be written: {error.strerror}") from None
