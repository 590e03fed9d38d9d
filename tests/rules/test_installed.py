"""What a class derives from, read from the sources of installed packages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.interpreter.machine import MAX_STEPS_OF_LIBRARY, Frame

from ..programs import block, fill

PROGRAM = """\
{imports}
class Thing({base}):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x
"""
LIBRARY = {
    "lib/__init__.py": """
        from lib.parts import *
        from lib import deep
        from .deep.core import Base as Renamed
    """,
    "lib/parts.py": """
        import other
        class Stone(other.Rock): pass
        class PaperModel: pass
    """,
    "lib/deep/__init__.py": "",
    "lib/deep/core.py": """
        import torch
        class Base(torch.nn.Module): pass
        class Loop(Loop): pass
    """,
    "other.py": """
        from torch import nn
        class Rock(nn.Module): pass
    """,
    "broken.py": "class Wall(",
}


def found_in(tmp_path: Path, imports: str, base: str, packages: Path | None) -> list[int]:
    """The lines of the findings in a class with this base, counted from the line of the class."""
    filename = str(tmp_path / "model.py")
    project = Project(tmp_path)
    project.set_text(filename, fill(PROGRAM, imports=imports, base=base))
    settings = Settings(packages=() if packages is None else (str(packages),))
    first = block(imports).count("\n") + 1
    return [finding.span.start.row - first for finding in check(project, filename, settings).findings]


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder of installed packages."""
    folder = tmp_path / "site-packages"
    for name, text in LIBRARY.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block(text), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("imports", "base", "without", "found"),
    [
        ("from lib import Stone", "Stone", False, True),
        ("from lib import Renamed", "Renamed", False, True),
        ("import lib.deep.core", "lib.deep.core.Base", False, True),
        ("import lib", "lib.deep.core.Base", False, True),
        ("from other import Rock", "Rock", False, True),
        # The name speaks for a module, the source against it.
        ("from lib.parts import PaperModel", "PaperModel", True, False),
        # Nothing is known of these: their names decide.
        ("from lib import Missing", "Missing", False, False),
        ("from lib import MissingModel", "MissingModel", True, True),
        ("from broken import Wall", "Wall", False, False),
        ("from lib.deep.core import Loop", "Loop", False, False),
        ("from nowhere import SomeModule", "SomeModule", True, True),
    ],
)
def test_the_bases_of_an_installed_class_decide(
    tmp_path: Path, packages: Path, imports: str, base: str, without: bool, found: bool
) -> None:
    assert found_in(tmp_path, imports, base, None) == ([2] if without else [])
    assert found_in(tmp_path, imports, base, packages) == ([2] if found else [])


def test_the_base_of_a_base_decides(tmp_path: Path, packages: Path) -> None:
    middle = """
        from lib.parts import Stone as S
        class Middle(S): pass
    """
    assert found_in(tmp_path, middle, "Middle", None) == []
    assert found_in(tmp_path, middle, "Middle", packages) == [2]


def test_a_folder_of_packages_may_come_later(tmp_path: Path, packages: Path) -> None:
    filename = str(tmp_path / "model.py")
    project = Project(tmp_path)
    project.set_text(filename, fill(PROGRAM, imports="from lib import Stone", base="Stone"))
    assert not check(project, filename, Settings()).findings
    assert check(project, filename, Settings(packages=(str(packages),))).findings
    assert not check(project, filename, Settings()).findings


def test_nothing_is_reported_of_the_package_itself(tmp_path: Path, packages: Path) -> None:
    base = PROGRAM.replace("Thing", "Base")
    (packages / "lib/deep/core.py").write_text(
        fill(base, imports="import torch", base="torch.nn.Module"), encoding="utf-8"
    )
    filename = str(tmp_path / "model.py")
    project = Project(tmp_path)
    text = """
        from lib import Renamed
        class Thing(Renamed):
            pass
    """
    project.set_text(filename, block(text))
    report = check(project, filename, Settings(packages=(str(packages),)))
    assert not report.findings
    assert os.path.isdir(packages)


LEXER = """\
def pair(value):
    return value, value


def compile(text, level=0):
    parts = []
    for letter in text:
        for other in text:
            parts.append(compile(text + letter + other + str(level), level + 1))
            parts.append(compile(text + other + letter + str(level), level + 2))
    return parts
"""
LEXED = """\
import lexer
import torch

PATTERN = lexer.compile("a")
SIZES = lexer.pair(2)


class Net(torch.nn.Module):
    def forward(self, x):
        if PATTERN:
            x = x + 1
        if SIZES[1] == 2:
            return x
        return x if x.sum() > 0 else -x
"""


@pytest.mark.parametrize(("installed", "within"), [(True, True), (False, False)])
def test_what_a_library_without_torch_computes_before_tracing_has_a_share_of_the_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: bool, within: bool
) -> None:
    """Beside a package that is checked where it is installed. Its helpers are followed all the same, and code of the user's
    has all steps."""
    folder = tmp_path / ("site-packages" if installed else "parts")
    folder.mkdir()
    (folder / "lexer.py").write_text(LEXER, encoding="utf-8")
    project = Project(folder)
    filename = str(folder / "model.py")
    project.set_text(filename, LEXED)
    steps = 0
    consume = Frame.consume_fuel

    def counted(frame: Frame) -> None:
        nonlocal steps
        steps += 1
        consume(frame)

    monkeypatch.setattr(Frame, "consume_fuel", counted)
    assert check(project, filename).findings == ()
    assert (steps < MAX_STEPS_OF_LIBRARY + 100) == within
