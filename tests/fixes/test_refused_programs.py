"""Programs that no fix mends: the last line of each names the lines that stay, and the reason that users read there."""

from __future__ import annotations

import re
from pathlib import Path

import proof
import pytest
from exportdb_rules import engine
from exportdb_rules.project import Project

FOLDER = Path(__file__).parent.parent / "data" / "refused"


def refused(text: str) -> set[tuple[int, str]]:
    """The lines of a text that have findings and no fix, each with the reason."""
    project = Project()
    project.set_text(proof.FILENAME, text)
    found = engine.check(project, proof.FILENAME, proof.BOTH).findings
    answers = [(finding, engine.offer(project, finding, proof.BOTH)) for finding in found]
    return {(finding.span.start.row, str(answer.no_fix and answer.no_fix.value)) for finding, answer in answers if not answer.fixes}  # fmt: skip


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_program_without_a_fix_says_why(path: Path) -> None:
    text = path.read_text("utf-8")
    said = re.findall(r"(\d+) ([\w-]+)", text.rstrip().rpartition("# refused: ")[2])
    assert refused(text) == {(int(row), reason) for row, reason in said} != set()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_program_without_a_fix_does_not_export(path: Path) -> None:
    assert proof.fails(path.read_text("utf-8"))
