"""What has been proven of the programs of tests/data/fixes, and by what.

Beside a program `x.py` stands what the fixes make of it, `x.fixed.py`; `proven.json` has, for each program, the key of
the proof that it passed. A proof holds for the two texts, the version of torch and the code that proves: where one of
them is another than it was, it is made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from datetime import date
from pathlib import Path

import proof
import torch
from exportdb_lsp.worker import meaning

FOLDER = Path(__file__).parent.parent / "data" / "fixes"
RECORD = FOLDER / "proven.json"
# Set once for all processes of a run: at midnight they would not agree.
DAY = "EXPORTDB_DAY_OF_PROOFS"
TENTHS = 10


def programs() -> list[Path]:
    """The programs as they are before their fixes."""
    return [path for path in sorted(FOLDER.glob("*/*.py")) if not path.name.endswith(".fixed.py")]


def fixed(path: Path) -> Path:
    """Where the fixed text of a program stands."""
    return path.with_suffix(".fixed.py")


def name(path: Path) -> str:
    """What a program is called in the record."""
    return f"{path.parent.name}/{path.stem}"


def key(before: str, after: str) -> str:
    """Of the proof of these texts by this torch and this code."""
    sources = [Path(proof.__file__), Path(proof.__file__).with_name("old_names.py"), Path(str(meaning.__file__))]
    parts = [before, after, torch.__version__, *(source.read_text("utf-8") for source in sources)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def recorded() -> dict[str, str]:
    """The keys of the proofs that were passed, by program."""
    return json.loads(RECORD.read_text("utf-8")) if RECORD.is_file() else {}


def write(passed: dict[str, str]) -> None:
    """Adds proofs to the record; programs that are gone leave it."""
    known = {name(path) for path in programs()}
    rows = {program: proven for program, proven in (recorded() | passed).items() if program in known}
    beside = RECORD.with_suffix(".new")
    beside.write_text(json.dumps(rows, indent=0, sort_keys=True) + "\n", "utf-8")
    beside.replace(RECORD)


def today() -> int:
    """The day that a run's tenth is chosen by."""
    return int(os.environ.setdefault(DAY, str(date.today().toordinal())))


def due(path: Path, passed: dict[str, str], day: int) -> bool:
    """Whether a program is proven in a run on this day: it has no proof, or it is of the day's tenth."""
    after = fixed(path)
    if not after.is_file() or zlib.crc32(name(path).encode()) % TENTHS == day % TENTHS:
        return True
    return passed.get(name(path)) != key(path.read_text("utf-8"), after.read_text("utf-8"))
