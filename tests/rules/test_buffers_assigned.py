"""Buffers that a root module is given: non-strict export writes what was computed, and not what was there before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checking import Checker

from ..programs import fill, load, model_exports

torch = pytest.importorskip("torch")

PROGRAM = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.ones(8, 6))
        self.register_buffer("other", torch.zeros(8, 6))
        self.weight = torch.nn.Parameter(torch.ones(8, 6))

    def forward(self, x, parts):
        {body}
        return x + 1


model = Net()
example_args = (torch.randn(8, 6), {{"a": torch.randn(8, 6)}})
"""
FAILS = (
    "self.last = x",
    "self.last = parts['a']",
    "self.last = x if x.dim() == 2 else x[None]",
    "self.last = self.other",
)
EXPORTS = (
    "self.last = x.clone()",
    "self.last = x + 1",
    "self.last = x.detach()",
    "self.last = x[:]",
    "self.last = x.view(8, 6)",
    "self.last = x.T.T",
    "self.last = self.weight",
    "x = x + 0; self.last = x",
    "self.last = x; self.last = self.last * 2",
    "self.last.copy_(x)",
)


@pytest.mark.parametrize("body", [*FAILS, *EXPORTS])
def test_what_a_buffer_is_given(
    body: str, check_text: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(PROGRAM, body=body)
    assert {one.code for one in check_text(text).findings} == ({"EDB401"} if body in FAILS else set())
    module = load(text, tmp_path, "buffers")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert model_exports(module.model, module.example_args, strict=False) is (body in EXPORTS)
    assert model_exports(module.model, module.example_args, strict=True)
