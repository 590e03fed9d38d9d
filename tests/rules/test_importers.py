"""Which files import a file: the index that edits bring up to date says what a fresh look says, and no more work is done."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from exportdb_rules import importers as index
from exportdb_rules.engine import Project, check
from exportdb_rules.importers import importers

NET = """\
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return x + 1
"""


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, Python's own and those in C."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("on_disk", [0, 150])
def test_the_work_of_opening_documents_grows_with_their_number(tmp_path: Path, on_disk: int) -> None:
    for number in range(on_disk):
        (tmp_path / f"old{number}.py").touch()
    check(Project(tmp_path), str(tmp_path / "net.py"))  # what is learnt once

    def opened(documents: int) -> int:
        project = Project(tmp_path)
        project.set_text(str(tmp_path / "first.py"), NET)
        check(project, str(tmp_path / "first.py"))

        def work() -> None:
            for number in range(documents):
                name = str(tmp_path / f"net{number}.py")
                project.set_text(name, NET)
                check(project, name)
            for number in range(documents):
                project.drop_text(str(tmp_path / f"net{number}.py"))

        return calls_of(work)

    few, many = opened(40), opened(160)
    assert many < 4.5 * few


def test_edits_of_a_file_that_no_walk_finds_walk_no_tree_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = tmp_path / ".hidden"
    hidden.mkdir()
    (hidden / "net.py").write_text(NET)
    project = Project(tmp_path)
    walks: list[object] = []
    walk = index._walk
    monkeypatch.setattr(index, "_walk", lambda *args, **named: (walks.append(args), walk(*args, **named))[1])
    for number in range(5):
        for name in (hidden / "net.py", tmp_path / "not there.py"):
            project.set_text(str(name), f"{NET}# {number}\n")
            importers(project, str(tmp_path / "net.py"))
    assert len(walks) <= 2


@pytest.mark.parametrize("most", [400, 5])
def test_the_index_says_after_any_edits_what_a_fresh_one_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(index, "MAX_FILES", most)
    chance = random.Random(0)
    folders = [tmp_path, tmp_path / "package", tmp_path / "package" / "inner"]
    for folder in folders[1:]:
        folder.mkdir()
        (folder / "__init__.py").touch()
    files = [folder / f"m{number}.py" for folder in folders for number in range(4)]
    lines = [
        "import m{}",
        "from package import m{}",
        "from package.inner.m{} import Net",
        "from . import m{}",
        "import m{}, os",
    ]
    project = Project(tmp_path)
    opened: dict[str, str] = {}
    answers = 0
    for _ in range(250):
        file = chance.choice(files)
        text = "".join(chance.choice(lines).format(chance.randrange(4)) + "\n" for _ in range(chance.randrange(3)))
        match chance.randrange(4):
            case 0:
                opened[str(file)] = text
                project.set_text(str(file), text)
            case 1:
                opened.pop(str(file), None)
                project.drop_text(str(file))
            case 2:
                file.write_text(text)
                project.forget(str(file))
            case _:
                file.unlink(missing_ok=True)
                project.forget(str(file))
        fresh = Project(tmp_path)
        for name, known in opened.items():
            fresh.set_text(name, known)
        asked = str(chance.choice(files))
        answer = importers(fresh, asked)
        answers += bool(answer)
        assert importers(project, asked) == answer
    assert answers > 20
