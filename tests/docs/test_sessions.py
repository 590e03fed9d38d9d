"""A page that names the file it is about is a session: its commands are run one after the other, with what they print.

Python with a title is that file; a command that prints something in the page prints it in earnest.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from test_schemas import complaints

REPOSITORY = Path(__file__).parents[2]
BLOCK = re.compile(r"^( *)```(python|console)([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
SESSIONS = [
    page for page in sorted((REPOSITORY / "docs").rglob("*.md")) if 'python title="' in page.read_text(encoding="utf-8")
]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = shlex.split(command)
    assert words[0] == "exportdb-lsp"
    plain = {key: value for key, value in os.environ.items() if key != "FORCE_COLOR"}
    return subprocess.run(
        [sys.executable, "-m", "exportdb_lsp", *words[1:]],
        cwd=folder, env=plain, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_the_session_of_a_page(page: Path, tmp_path: Path) -> None:
    statuses: list[int] = []
    for _, language, info, body in BLOCK.findall(page.read_text(encoding="utf-8")):
        text = textwrap.dedent(body)
        if language == "python":
            title = re.search(r'title="([^"]+)"', info)
            if title:
                (tmp_path / title[1]).write_text(text, encoding="utf-8")
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            done = run(command, tmp_path)
            statuses.append(done.returncode)
            assert done.returncode in (0, 1), f"{command}: {done.stderr}"
            printed = done.stdout.splitlines()
            assert [line for line in shown if line.strip() and line not in printed] == [], done.stdout
    assert statuses, "no command was run"
    assert (statuses[0], statuses[-1]) == (1, 0), "the page goes from a model that does not export to one that does"


def test_results_of_an_export_keep_the_schema(tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "guide" / "first-export.md").read_text(encoding="utf-8")
    _, _, _, body = next(found for found in BLOCK.findall(page) if found[1] == "python")
    (tmp_path / "model.py").write_text(body, encoding="utf-8")
    results = json.loads(run("exportdb-lsp export model.py --mode both --output-format json", tmp_path).stdout)
    assert [result["outcome"] for result in results] == ["fails", "fails"]
    assert complaints("export", results) == []
