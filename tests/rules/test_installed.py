"""What a class derives from, read from the sources of installed packages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from exportdb_rules.engine import Project, Settings, check

BRANCH = """
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x
"""
LIBRARY = {
    "lib/__init__.py": "from lib.parts import *\nfrom lib import deep\nfrom .deep.core import Base as Renamed\n",
    "lib/parts.py": "import other\nclass Stone(other.Rock): pass\nclass PaperModel: pass\n",
    "lib/deep/__init__.py": "",
    "lib/deep/core.py": "import torch\nclass Base(torch.nn.Module): pass\nclass Loop(Loop): pass\n",
    "other.py": "from torch import nn\nclass Rock(nn.Module): pass\n",
    "broken.py": "class Wall(\n",
}


def lines(tmp_path: Path, head: str, packages: Path | None) -> list[int]:
    """The lines of the findings in a class whose bases and imports are given."""
    filename = str(tmp_path / "model.py")
    project = Project(tmp_path)
    project.set_text(filename, head + BRANCH)
    settings = Settings(packages=() if packages is None else (str(packages),))
    return [finding.span.start.row - head.count("\n") for finding in check(project, filename, settings).findings]


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder of installed packages."""
    folder = tmp_path / "site-packages"
    for name, text in LIBRARY.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("head", "without", "found"),
    [
        ("from lib import Stone\nclass Thing(Stone):", False, True),
        ("from lib import Renamed\nclass Thing(Renamed):", False, True),
        ("import lib.deep.core\nclass Thing(lib.deep.core.Base):", False, True),
        ("import lib\nclass Thing(lib.deep.core.Base):", False, True),
        ("from lib.parts import Stone as S\nclass Middle(S): pass\nclass Thing(Middle):", False, True),
        ("from other import Rock\nclass Thing(Rock):", False, True),
        # The name speaks for a module, the source against it.
        ("from lib.parts import PaperModel\nclass Thing(PaperModel):", True, False),
        # Nothing is known of these: their names decide.
        ("from lib import Missing\nclass Thing(Missing):", False, False),
        ("from lib import MissingModel\nclass Thing(MissingModel):", True, True),
        ("from broken import Wall\nclass Thing(Wall):", False, False),
        ("from lib.deep.core import Loop\nclass Thing(Loop):", False, False),
        ("from nowhere import SomeModule\nclass Thing(SomeModule):", True, True),
    ],
)
def test_the_bases_of_an_installed_class_decide(
    tmp_path: Path, packages: Path, head: str, without: bool, found: bool
) -> None:
    assert lines(tmp_path, head, None) == ([3] if without else [])
    assert lines(tmp_path, head, packages) == ([3] if found else [])


def test_a_folder_of_packages_may_come_later(tmp_path: Path, packages: Path) -> None:
    filename = str(tmp_path / "model.py")
    project = Project(tmp_path)
    project.set_text(filename, "from lib import Stone\nclass Thing(Stone):" + BRANCH)
    assert not check(project, filename, Settings()).findings
    assert check(project, filename, Settings(packages=(str(packages),))).findings
    assert not check(project, filename, Settings()).findings


def test_nothing_is_reported_of_the_package_itself(tmp_path: Path, packages: Path) -> None:
    (packages / "lib/deep/core.py").write_text("import torch\nclass Base(torch.nn.Module):" + BRANCH, encoding="utf-8")
    filename = str(tmp_path / "model.py")
    project = Project(tmp_path)
    project.set_text(filename, "from lib import Renamed\nclass Thing(Renamed):\n    pass\n")
    report = check(project, filename, Settings(packages=(str(packages),)))
    assert not report.findings
    assert os.path.isdir(packages)
