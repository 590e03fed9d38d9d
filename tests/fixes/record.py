"""The programs of tests/data/fixes, and the keys of their proofs.

Beside a program `x.py` stands what the fixes make of it, `x.fixed.py`.
"""

from __future__ import annotations

from pathlib import Path

import proof
from exportdb_lsp.worker import eager_operators

from .. import proofs

FOLDER = Path(__file__).parent.parent / "data" / "fixes"
SOURCES = (Path(proof.__file__), Path(proof.__file__).with_name("old_names.py"), Path(str(eager_operators.__file__)))


def programs() -> dict[str, Path]:
    """The programs as they are before their fixes, by the name of their proof."""
    paths = [path for path in sorted(FOLDER.glob("*/*.py")) if not path.name.endswith(".fixed.py")]
    return {f"{path.parent.name}/{path.stem}": path for path in paths}


def fixed(path: Path) -> Path:
    """Where the fixed text of a program stands."""
    return path.with_suffix(".fixed.py")


def keys() -> dict[str, str]:
    """The proofs of all programs; that of one without a fixed text is of no text."""
    return {name: key(path) for name, path in programs().items()}


def key(path: Path) -> str:
    """Of the proof of a program."""
    after = fixed(path)
    return proofs.key(SOURCES, path.read_text("utf-8"), after.read_text("utf-8") if after.is_file() else "")
