"""Edits of files that import each other: a project that saw them one by one finds what a new one finds."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest
from exportdb_rules.engine import Settings, check, check_unit
from exportdb_rules.finding import Confidence
from exportdb_rules.interpreter import postponed
from exportdb_rules.project import Project

SETTINGS: Final = Settings(min_confidence=Confidence.POSSIBLE)
# Each file with what it may hold; every text is put together of one choice from each place.
FILES: Final = {
    "tools.py": (
        ("import torch\n\n\n", "import torch\n# tools\n\n\n"),
        ("def act(x):\n    return x\n\n\n", "def act(x):\n    if x.sum() > 0:\n        return x\n    return -x\n\n\n"),
        ("def decorated(f):\n    return f\n\n\n", "def decorated(f):\n    return abs\n\n\n"),
        ("chosen = decorated(act)\n", "chosen = act\n", "chosen = torch.relu\n"),
        ("names = []\n", "names = [1]\n", "names = {}\n"),
    ),
    "base.py": (
        ("import torch\nfrom torch import nn\nfrom tools import *\n\n\n", "import torch\nfrom torch import nn\nimport tools\n\n\n"),
        ("class Base(nn.Module):\n", "class Base(torch.nn.Module):\n    wide = True\n\n"),
        ("    def __init__(self, config):\n        super().__init__()\n        self.config = config\n        self.prepare()\n\n",
         "    def __init__(self, config):\n        super().__init__()\n        self.scale = self.prepare()\n\n"),
        ("    def prepare(self):\n        self.flag = True\n        return 1\n\n",
         "    def prepare(self):\n        self.flag = torch.ones(2)\n        return torch.ones(3)\n\n",
         "    def prepare(self):\n        self.note()\n\n"),
        ("    def note(self):\n        self.flag = None\n", "    def note(self):\n        setattr(self, 'flag', 1)\n"),
    ),
    "net.py": (
        ("from base import Base\nfrom tools import chosen, names\n\n\n",),
        ("class Net(Base):\n", "class Net(Base):\n    flag = 2\n\n"),
        ("", "    def __init__(self, config):\n        super().__init__(config)\n        self.prepare()\n        self.own = 1\n\n"),
        ("    def forward(self, x):\n",),
        ("        if self.flag is not None and self.flag > 0:\n            x = chosen(x)\n", "        names.append(x)\n", "        x = chosen(x)\n"),
        ("        return x.sum().item()\n", "        return self.scale * x\n", "        return x\n"),
    ),
}  # fmt: skip


def _text(name: str, random_: random.Random) -> str:
    return "".join(random_.choice(choices) for choices in FILES[name])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("opened", [False, True], ids=["on disk", "in an editor"])
def test_the_findings_do_not_depend_on_what_was_checked_before(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, opened: bool
) -> None:
    monkeypatch.setattr(postponed, "SHORTEST", 0)
    choice = random.Random(seed)
    paths = {name: str(tmp_path / name) for name in FILES}
    for name, path in paths.items():
        Path(path).write_text(_text(name, choice), encoding="utf-8")
    project = Project(tmp_path)
    for _ in range(25):
        name = choice.choice([*FILES])
        Path(paths[name]).write_text(_text(name, choice), encoding="utf-8")
        if opened:
            project.set_text(paths[name], Path(paths[name]).read_text(encoding="utf-8"))
        else:
            project.forget(paths[name])
        if not choice.randrange(6):
            project.spare(0)
        for path in choice.sample([*paths.values()], 2):
            assert check_unit(project, path, SETTINGS) == check_unit(Project(tmp_path), path, SETTINGS)
            assert check(project, path, SETTINGS) == check(Project(tmp_path), path, SETTINGS)
