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
    "written by a method": "if self.flag:\n            return x\n        if self.noted.sum() > 0:\n            return x + 1\n        return x.sum().item()",
    "what a call gave": "if self.scale.sum() > 0:\n            return x\n        return x + 1",
    "of another object": "if self.settings.mode.sum() > 0:\n            return x\n        return x + 1",
    "asked for by name": "if hasattr(self, 'noted'):\n            return x.sum().item()\n        return x",
    "with a default": "if getattr(self, 'noted', None) is not None:\n            return x.sum().item()\n        return x",
    "written again": "self.flag = x\n        return self.flag + 1",
    "a list": "self.names.append(x)\n        return x",
    "not asked for": "return x.sum().item()",
}
CONSTRUCTORS = {
    "none": "",
    "last": "    def __init__(self, config):\n        super().__init__(config)\n        self.prepare()\n\n",
    "overwritten": "    def __init__(self, config):\n        super().__init__(config)\n        self.noted = 1\n        self.scale = 2\n\n",
    "in a branch": "    def __init__(self, config):\n        super().__init__(config)\n        if config.other:\n            self.scale = self.find_scale()\n"
    "        else:\n            self.scale = 1\n\n",
    "in a loop": "    def __init__(self, config):\n        super().__init__(config)\n        for i in range(3):\n            self.note(i)\n\n",
    "that may fail": "    def __init__(self, config):\n        super().__init__(config)\n        try:\n            self.scale = self.find_scale()\n"
    "        except ValueError:\n            self.scale = None\n\n",
    "given a list": "    def __init__(self, config):\n        super().__init__(config)\n        self.mine = []\n        fill(self.mine)\n\n",
}
HEAD = "import torch\nfrom base import Base\n\n\ndef fill(items):\n    items.append(torch.ones(2))\n\n\n"


def _findings(monkeypatch: pytest.MonkeyPatch, folder: Path, files: list[str], least: int) -> list[str]:
    monkeypatch.setattr(postponed, "SHORTEST", least)
    settings = Settings(min_confidence=Confidence.POSSIBLE)
    return [repr(report) for report in check_files(Project(folder), files, settings)]


@pytest.mark.parametrize("constructor", CONSTRUCTORS.values(), ids=CONSTRUCTORS.keys())
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_it_makes_no_difference_when_a_call_is_made(
    body: str, constructor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = f"{HEAD}class Net(Base):\n{constructor}    def forward(self, x):\n        {body}\n"
    (tmp_path / "base.py").write_text(BASE, encoding="utf-8")
    (tmp_path / "net.py").write_text(net, encoding="utf-8")
    files = [str(tmp_path / "net.py")]
    later, at_once = (_findings(monkeypatch, tmp_path, files, least) for least in (0, NEVER))
    assert later == at_once


def test_what_nobody_asks_for_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from exportdb_rules.interpreter import calls

    net = f"{HEAD}class Net(Base):\n    def forward(self, x):\n        return x.sum().item()\n"
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
