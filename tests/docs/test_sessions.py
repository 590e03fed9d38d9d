"""A page that names the file it is about is a session: its commands are run one after the other, with what they print.

Python with a title is that file; a command that prints something in the page prints it in earnest.
"""

from __future__ import annotations

import json
import re
import shlex
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from exportdb_lsp.cli.program import program
from test_schemas import complaints

REPOSITORY = Path(__file__).parents[2]
BLOCK = re.compile(r"^( *)```(python|console)([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
SESSIONS = [
    page for page in sorted((REPOSITORY / "docs").rglob("*.md")) if 'python title="' in page.read_text(encoding="utf-8")
]


pytestmark = pytest.mark.usefixtures("lent_workers")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands are called."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return tmp_path


def run(command: str) -> Result:
    words = shlex.split(command)
    assert words[0] == "exportdb-lsp"
    return CliRunner().invoke(program, words[1:], prog_name="exportdb-lsp")


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_the_session_of_a_page(page: Path, folder: Path) -> None:
    statuses: list[int] = []
    for _, language, info, body in BLOCK.findall(page.read_text(encoding="utf-8")):
        text = textwrap.dedent(body)
        if language == "python":
            title = re.search(r'title="([^"]+)"', info)
            if title:
                (folder / title[1]).write_text(text, encoding="utf-8")
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            done = run(command)
            statuses.append(done.exit_code)
            assert done.exit_code in (0, 1), f"{command}: {done.stderr}"
            printed = done.stdout.splitlines()
            assert [line for line in shown if line.strip() and line not in printed] == [], done.stdout
    assert statuses, "no command was run"
    assert (statuses[0], statuses[-1]) == (1, 0), "the page goes from a model that does not export to one that does"


def test_results_of_an_export_keep_the_schema(folder: Path) -> None:
    page = (REPOSITORY / "docs" / "guide" / "first-export.md").read_text(encoding="utf-8")
    _, _, _, body = next(found for found in BLOCK.findall(page) if found[1] == "python")
    (folder / "model.py").write_text(body, encoding="utf-8")
    results = json.loads(run("exportdb-lsp export model.py --mode both --output-format json").stdout)
    assert [result["outcome"] for result in results] == ["fails", "fails"]
    assert complaints("export", results) == []
