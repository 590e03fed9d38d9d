"""Globals and attributes that a call leaves as it found them carry nothing to the next one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checking import Checker

from ..programs import fill, load

torch = pytest.importorskip("torch")

PROGRAM = """\
import contextlib

import torch

depth = 0


@contextlib.contextmanager
def deeper():
    global depth
    depth += 1
    try:
        yield depth
    finally:
        depth -= 1


class Deeper:
    def __enter__(self):
        global depth
        depth += 1

    def __exit__(self, *error):
        global depth
        depth -= 1


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0

    def run(self, x):
        return x + depth + self.n

    def forward(self, x):
        global depth
        {body}


model = Net()
"""
KEPT = (
    "with deeper():\n    return self.run(x)",
    "with Deeper():\n    return self.run(x)",
    "depth += 1\ntry:\n    return self.run(x)\nfinally:\n    depth -= 1",
    "depth += 1\ny = self.run(x)\ndepth -= 1\nreturn y",
    "depth -= 2\ndepth += 1\ny = self.run(x)\ndepth -= 1\ndepth += 2\nreturn y",
    "old = depth\ndepth = 5\ntry:\n    return self.run(x)\nfinally:\n    depth = old",
    "depth = 5\ny = self.run(x)\ndepth = 0\nreturn y",
    "self.n += 1\ntry:\n    return self.run(x)\nfinally:\n    self.n -= 1",
)
LOST = (
    "depth += 1\nreturn self.run(x)",
    "depth += 2\ny = self.run(x)\ndepth -= 1\nreturn y",
    "depth += 1\ny = self.run(x)\nif x.dim() > 0:\n    return y\ndepth -= 1\nreturn y",
    "depth += 5\ny = self.run(x)\ndepth = 1\nreturn y",
    "self.n += 1\ny = self.run(x)\nself.n -= 2\nreturn y",
)


@pytest.mark.parametrize("body", [*KEPT, *LOST])
def test_what_is_taken_back(body: str, check_text: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = fill(PROGRAM, body=body)
    assert bool(check_text(text).findings) is (body in LOST)
    made = load(text, tmp_path, "taken_back")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    x = torch.zeros(2)
    program = torch.export.export(made.model, (x,)).module()
    eager, made.depth = made.Net(), 0
    agrees = all(torch.equal(program(x), eager(x)) for _ in range(3))
    assert agrees is (body in KEPT)
