"""Calls before tracing that are made when somebody asks for what they may write: the findings are those of calls made at
once."""

from __future__ import annotations

from pathlib import Path

import exportdb_cases
import pytest
from exportdb_rules.engine import Settings, check_files
from exportdb_rules.finding import Confidence
from exportdb_rules.interpreter import postponed
from exportdb_rules.project import Project

from ..programs import fill

NEVER = 10**9
BASE = """\
import torch
from torch import nn


class Settings:
    def __init__(self):
        self.mode = "a"


class Base(nn.Module):
    limit = 3

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.settings = Settings()
        self.prepare()
        self.scale = self.find_scale()

    def prepare(self):
        self.flag = True
        self.names = []
        self.settings.mode = torch.ones(3)
        self.note("x")

    def note(self, name):
        self.names.append(name)
        setattr(self, "noted", torch.ones(2))

    def find_scale(self):
        return torch.ones(3)
"""
BODIES = {
    "written by a method": """
        if self.flag:
            return x
        if self.noted.sum() > 0:
            return x + 1
        return x.sum().item()
    """,
    "what a call gave": """
        if self.scale.sum() > 0:
            return x
        return x + 1
    """,
    "of another object": """
        if self.settings.mode.sum() > 0:
            return x
        return x + 1
    """,
    "asked for by name": """
        if hasattr(self, 'noted'):
            return x.sum().item()
        return x
    """,
    "with a default": """
        if getattr(self, 'noted', None) is not None:
            return x.sum().item()
        return x
    """,
    "written again": """
        self.flag = x
        return self.flag + 1
    """,
    "a list": """
        self.names.append(x)
        return x
    """,
    "not asked for": "return x.sum().item()",
}
CONSTRUCTORS = {
    "none": "",
    "last": """
        def __init__(self, config):
            super().__init__(config)
            self.prepare()
    """,
    "overwritten": """
        def __init__(self, config):
            super().__init__(config)
            self.noted = 1
            self.scale = 2
    """,
    "in a branch": """
        def __init__(self, config):
            super().__init__(config)
            if config.other:
                self.scale = self.find_scale()
            else:
                self.scale = 1
    """,
    "in a loop": """
        def __init__(self, config):
            super().__init__(config)
            for i in range(3):
                self.note(i)
    """,
    "that may fail": """
        def __init__(self, config):
            super().__init__(config)
            try:
                self.scale = self.find_scale()
            except ValueError:
                self.scale = None
    """,
    "given a list": """
        def __init__(self, config):
            super().__init__(config)
            self.mine = []
            fill(self.mine)
    """,
}
PROGRAM = """\
import torch
from base import Base


def fill(items):
    items.append(torch.ones(2))


class Net(Base):
    {constructor}

    def forward(self, x):
        {body}
"""


def _findings(monkeypatch: pytest.MonkeyPatch, folder: Path, files: list[str], least: int) -> list[str]:
    monkeypatch.setattr(postponed, "SHORTEST", least)
    settings = Settings(min_confidence=Confidence.POSSIBLE)
    return [repr(report) for report in check_files(Project(folder), files, settings)]


@pytest.mark.parametrize("constructor", CONSTRUCTORS.values(), ids=CONSTRUCTORS.keys())
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_it_makes_no_difference_when_a_call_is_made(
    body: str, constructor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = fill(PROGRAM, constructor=constructor, body=body)
    (tmp_path / "base.py").write_text(BASE, encoding="utf-8")
    (tmp_path / "net.py").write_text(net, encoding="utf-8")
    files = [str(tmp_path / "net.py")]
    later, at_once = (_findings(monkeypatch, tmp_path, files, least) for least in (0, NEVER))
    assert later == at_once


def test_what_nobody_asks_for_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from exportdb_rules.interpreter import calls

    net = fill(PROGRAM, constructor="", body="return x.sum().item()")
    (tmp_path / "base.py").write_text(BASE, encoding="utf-8")
    (tmp_path / "net.py").write_text(net, encoding="utf-8")
    run: list[str] = []
    plain = calls.run_body

    def noted(frame, info):  # type: ignore[no-untyped-def]
        run.append(info.name)
        plain(frame, info)

    monkeypatch.setattr(calls, "run_body", noted)
    for least, names in ((NEVER, {"prepare", "note", "find_scale"}), (0, set[str]())):
        run.clear()
        assert _findings(monkeypatch, tmp_path, [str(tmp_path / "net.py")], least)
        assert names == {"prepare", "note", "find_scale"}.intersection(run)


def test_the_findings_of_all_cases_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(exportdb_cases.__file__).parent
    files = sorted(map(str, folder.rglob("*.py")))
    later, at_once = (_findings(monkeypatch, folder, files, least) for least in (0, NEVER))
    assert [one for one, other in zip(later, at_once, strict=True) if one != other] == []
