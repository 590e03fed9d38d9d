"""What calls at the top level of a file give: found once, and never more than the texts of the day say."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from exportdb_rules.engine import Settings, check_unit
from exportdb_rules.project import Project

from ..programs import block

TOOLS = """\
import torch


def decorated(function):
    return function


def plain(x):
    return x


def branching(x):
    if x.sum() > 0:
        return x
    return x + 1


def fresh():
    return []


act = decorated({})
items = fresh()
"""
NET = """\
from torch import nn
from tools import act, items


class {0}(nn.Module):
    def forward(self, x):
        items.append(x)
        return act(x)
"""


def _write(folder: Path, act: str) -> None:
    (folder / "tools.py").write_text(TOOLS.format(act), encoding="utf-8")
    for name in "AB":
        (folder / f"{name}.py").write_text(NET.format(name), encoding="utf-8")


def _codes(project: Project, folder: Path, name: str) -> list[str]:
    return [finding.code for finding in check_unit(project, str(folder / f"{name}.py"), Settings()).findings]


def test_a_call_of_a_file_is_made_once_for_all_that_import_it(tmp_path: Path, run: list[str]) -> None:
    _write(tmp_path, "branching")
    project = Project(tmp_path)
    found = [_codes(project, tmp_path, name) for name in "AB"]
    assert run.count("decorated") == 1
    assert run.count("branching") == 2  # traced for each
    assert found == [_codes(Project(tmp_path), tmp_path, name) for name in "AB"]
    assert "EDB101" in found[0]


def test_what_can_be_written_to_is_not_shared(tmp_path: Path) -> None:
    _write(tmp_path, "plain")
    project = Project(tmp_path)
    units = [check_unit(project, str(tmp_path / "A.py"), Settings()) for _ in range(2)]
    assert units[0] == units[1] == check_unit(Project(tmp_path), str(tmp_path / "A.py"), Settings())


@pytest.mark.parametrize("forget", [False, True])
def test_an_edit_of_the_other_file_is_seen(tmp_path: Path, *, forget: bool) -> None:
    _write(tmp_path, "plain")
    project = Project(tmp_path)
    assert "EDB101" not in _codes(project, tmp_path, "A")
    if forget:
        project.spare(0)
    _write(tmp_path, "branching")
    project.forget(str(tmp_path / "tools.py"))
    assert "EDB101" in _codes(project, tmp_path, "A")


def test_a_call_that_is_given_the_name_that_it_binds(tmp_path: Path, run: list[str]) -> None:
    bound = """
        act = decorated(act)


        class Part:
            pass


        Part = decorated(Part)
    """
    (tmp_path / "tools.py").write_text(TOOLS.format("branching") + block(bound), encoding="utf-8")
    methods = """
        def __init__(self):
            super().__init__()
            self.part = Part()

        def forward"""
    net = NET.format("Net").replace("items", "Part").replace("Part.append(x)", "self.part.last = x")
    net = net.replace("    def forward", indent(block(methods).rstrip(), "    "))
    (tmp_path / "net.py").write_text(net, encoding="utf-8")
    assert _codes(Project(tmp_path), tmp_path, "net").count("EDB101") == 1
    # Once for each value of `act`; a class is what it is decorated to be.
    assert run.count("decorated") == 2
