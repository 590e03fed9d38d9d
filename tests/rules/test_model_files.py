"""Models as packages have them, in `tests/data/models`: check says of each line what a real export does there.

A folder is a package whose files import one another. Behind a line stands what happens on it, by mode:
`# strict: fails`, `# non-strict: diverges; strict: fails`; what has no such comment is no finding. The proof exports every
class with example inputs, in both modes: a line on which export stops has the comment, every line with one stops some export, and
a class exports faithfully where no line of it has any.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from exportdb_rules.engine import Project, Settings, check_files
from exportdb_rules.finding import Confidence, Mode, Verdict

from ..proofs import key, once

FOLDER = Path(__file__).parents[1] / "data" / "models"
UNITS = sorted(path for path in FOLDER.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file())
PACKAGES = (sysconfig.get_path("purelib"),)
_SAID = re.compile(r"  # ((?:(?:non-)?strict: \w+(?:; )?)+)$")
# The file, relative to the folder, the row, and the mode.
Said = dict[tuple[str, int, str], str]


def files_of(unit: Path) -> list[Path]:
    return [unit] if unit.is_file() else sorted(unit.rglob("*.py"))


def written(unit: Path) -> Said:
    """What the comments say."""
    said: Said = {}
    for file in files_of(unit):
        for row, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            found = _SAID.search(line)
            for part in found[1].split("; ") if found is not None else ():
                mode, _, verdict = part.partition(": ")
                said[str(file.relative_to(FOLDER)), row, mode] = verdict
    return said


def checked(unit: Path) -> Said:
    """What check says, but for what is only possible."""
    files = files_of(unit)
    root = unit.parent if unit.is_file() else unit
    settings = Settings("2.13.0", tuple(Mode), packages=PACKAGES)
    said: Said = {}
    for report in check_files(Project(root), [str(file) for file in files], settings):
        assert not report.problems
        for finding in report.findings:
            for mode, verdict in finding.verdict.items():
                if verdict is not Verdict.OK and finding.confidence is not Confidence.POSSIBLE:
                    place = str(Path(report.filename).relative_to(FOLDER)), finding.span.start.row, mode.value
                    said[place] = "fails" if said.get(place) == "fails" else verdict.value
    return said


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_check_says_what_the_export_of_a_model_does(unit: Path) -> None:
    assert checked(unit) == written(unit)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_the_comments_say_what_export_does(unit: Path, request: pytest.FixtureRequest) -> None:
    texts = [file.read_text("utf-8") for file in files_of(unit)]
    once(request, "models", unit.stem, key([Path(__file__)], *texts), lambda: prove(unit))


def prove(unit: Path) -> None:
    said = written(unit)
    stopped: set[tuple[str, int, str]] = set()
    for file in files_of(unit):
        text = file.read_text("utf-8")
        if "# exportdb: args=" not in text:
            continue
        command = [
            sys.executable,
            "-m",
            "exportdb_lsp",
            "export",
            "--mode",
            "both",
            "--output-format",
            "json",
            str(file),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        classes = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
        results = json.loads(done.stdout)
        assert results, done.stderr
        for result in results:
            name, mode, outcome = result["target"], result["mode"], result["outcome"]
            inside = classes[name]
            own = {
                verdict
                for (where, row, of), verdict in said.items()
                if where == str(file.relative_to(FOLDER)) and of == mode
                if inside.lineno <= row <= (inside.end_lineno or row)
            }
            if outcome == "fails" and result["row"] is not None:
                where = str(Path(result["row_filename"] or file).relative_to(FOLDER))
                assert said.get((where, result["row"], mode)) == "fails", (name, mode, result["row"], result["message"])
                stopped.add((where, result["row"], mode))
            elif outcome == "ok":
                assert not own, (name, mode, own)
            else:
                assert outcome in own, (name, mode, outcome, result["message"])
                for dimension in result["dimensions"] if outcome == "specializes" else ():
                    cause = None if dimension["dynamic"] else dimension["cause"]
                    if cause is not None:
                        where = str(Path(cause["filename"]).relative_to(FOLDER)), cause["row"], mode
                        assert said.get(where) == "specializes", (name, mode, dimension)
                stopped.update(place for place, verdict in said.items() if place[2] == mode and verdict == outcome)
    assert stopped >= {*said}, {*said} - stopped
