"""The code that exports a case and says what came out."""

from __future__ import annotations

from pathlib import Path

from exportdb_lsp.measure import run

SOURCES = tuple(sorted((Path(str(run.__file__)).parent / "probe").glob("*.py")))
