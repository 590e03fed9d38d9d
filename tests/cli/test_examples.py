"""examples/speech keeps its promise: five bugs of five rules, and nothing left after the fixes. `make demo` exports it."""

from __future__ import annotations

import shutil
from pathlib import Path

from .conftest import Program

SPEECH = Path(__file__).parents[2] / "examples" / "speech"


def test_five_bugs_are_found_and_fixed(run: Program) -> None:
    shutil.copytree(SPEECH, run.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    found = run("check", ".", "--output-format", "json").json
    assert sorted(finding["code"] for finding in found) == ["EDB101", "EDB102", "EDB103", "EDB104", "EDB201"]
    assert all(finding["fix"] for finding in found)
    assert run("check", "--fix", "--unsafe-fixes", ".").status == 0
    for path in run.folder.rglob("*.py"):
        compile(path.read_text(), str(path), "exec")
