"""JSON and JSON Lines: for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

from exportdb_lsp.output.contract import to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_lsp.checking.results import CheckedFinding


def write_json(found: Sequence[CheckedFinding], out: TextIO) -> None:
    """One array of findings, a finding a line group."""
    json.dump([to_json(item) for item in found], out, indent=2)
    out.write("\n")


def write_json_lines(found: Sequence[CheckedFinding], out: TextIO) -> None:
    """One finding a line: lines of several runs can be put together as they are."""
    for item in found:
        json.dump(to_json(item), out, separators=(",", ":"))
        out.write("\n")
