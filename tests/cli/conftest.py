"""The command line, called in this process: a project in a temporary folder, and what `exportdb-lsp …` does there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from exportdb_lsp.cli.program import program

BRANCH = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        else:
            return x - 1
"""

DATA = """\
import torch
from torch import nn


class Scale(nn.Module):
    def forward(self, x):
        return x * x.data
"""

CLEAN = """\
import torch
from torch import nn


class Fine(nn.Module):
    def forward(self, x):
        return torch.relu(x)
"""


@dataclass(frozen=True)
class Done:
    """How a call ended."""

    status: int
    out: str
    err: str
    out_bytes: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Program:
    """The program, called in a folder."""

    folder: Path

    def __call__(self, *arguments: str | Path, stdin: bytes | str | None = None) -> Done:
        result = CliRunner().invoke(program, [str(a) for a in arguments], input=stdin, prog_name="exportdb-lsp")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Done(result.exit_code, result.stdout, result.stderr, result.stdout_bytes)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent_workers: None) -> Program:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'sample'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    return Program(tmp_path)
