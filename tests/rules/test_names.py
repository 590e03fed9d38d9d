"""What a name stands for: across files, through stars and aliases, and after a loop of the file's own top level."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.importers import importers
from exportdb_rules.project import import_root

BRANCH = """
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x
"""


def codes(folder: Path, text: str, **others: str) -> list[str]:
    """What is found in a text beside other files of its folder, by their names."""
    project = Project(folder)
    for name, other in others.items():
        project.set_text(str(folder / f"{name}.py"), other)
    filename = str(folder / "net.py")
    project.set_text(filename, text)
    report = check(project, filename, Settings())
    assert not report.problems
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize(
    ("head", "other"),
    [
        ("from parts import *\nclass Net(Base):", "import torch\nclass Base(torch.nn.Module): pass\n"),
        (
            "from parts import *\nclass Net(Base):",
            "from net import *\nimport torch\nclass Base(torch.nn.Module): pass\n",
        ),
        ("from parts import Base\nclass Net(Base):", "import torch.nn as layers\nBase = layers.Linear\n"),
        ("from parts import Base\nclass Net(Base):", "from torch import nn\nKind = nn.Linear\nBase = Kind\n"),
    ],
    ids=["star", "stars in a circle", "an alias of its own file", "an alias of an alias"],
)
def test_a_base_is_found_where_it_is_bound(tmp_path: Path, head: str, other: str) -> None:
    assert codes(tmp_path, head + BRANCH, parts=other) == ["EDB101"]


def test_files_that_import_each_other_by_stars_still_know_the_builtins(tmp_path: Path) -> None:
    text = "import torch\nfrom parts import *\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return [v for v in x][: len([1])]\n"
    assert codes(tmp_path, text, parts="from net import *\n") == []


@pytest.mark.parametrize("alias", ["input = input", "first = second\nsecond = first", "from net import first"])
def test_a_name_that_stands_for_itself_is_no_class(tmp_path: Path, alias: str) -> None:
    name = "input" if alias.startswith("input") else "first"
    assert codes(
        tmp_path, f"import torch\n{alias}\nclass Other({name}): pass\nclass Net(torch.nn.Module):{BRANCH}"
    ) == ["EDB101"]


@pytest.mark.parametrize(
    "loop", ["for _ in range(3):\n    COUNT = COUNT + 1", "while COUNT < 3:\n    COUNT = COUNT + 1"]
)
def test_a_number_that_a_loop_of_the_file_changes_is_not_known(tmp_path: Path, loop: str) -> None:
    body = "\n    def forward(self, x):\n        if COUNT and x.sum() > 0:\n            return x\n        return -x\n"
    assert codes(tmp_path, f"import torch\nCOUNT = 0\n{loop}\nclass Net(torch.nn.Module):{body}") == ["EDB101"]


@pytest.mark.parametrize("names", ["helper", "(\n    other,\n    helper,\n)", "(other,  # first\n    helper)"])
def test_a_file_is_imported_by_name_also_on_several_lines(tmp_path: Path, names: str) -> None:
    package = tmp_path / "package"
    package.mkdir()
    for name in ("__init__", "helper", "other"):
        (package / f"{name}.py").touch()
    (tmp_path / "main.py").write_text(f"from package import {names}\n")
    project = Project(tmp_path)
    assert importers(project, str(package / "helper.py")) == (str(tmp_path / "main.py"),)


def test_the_root_of_imports_is_found_from_a_relative_path_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    assert import_root(Path("net.py"))[1] == "net"
