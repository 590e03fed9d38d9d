"""Tensors that are made of plain numbers while tracing: export remembers the number of those with one element."""

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
    def forward(self, x):
        n = ({made}).item()
        if n > 2:
            return x + 1
        return x


model = Net()
example_args = (torch.randn(3, 4),)
"""
REMEMBERED = (
    "torch.tensor(3)",
    "torch.tensor([3]) + 1",
    "torch.as_tensor(x.shape[0]) * 2",
    "torch.stack([torch.tensor(3)]).max()",
    "torch.where(torch.tensor(True), torch.tensor(3), torch.tensor(4))",
    "max(torch.tensor(3), torch.tensor(4))",
)
FORGOTTEN = (
    "torch.tensor([3, 4]).max()",
    "torch.scalar_tensor(3)",
    "torch.stack([torch.tensor(3), torch.tensor(4)])[0]",
    "torch.cat([torch.tensor([3]), torch.tensor([4])]).max()",
    "torch.hstack([torch.tensor([3]), torch.tensor([4])]).max()",
    "torch.stack([torch.as_tensor(size) for size in x.shape]).max(0).values",
    "torch.stack([torch.as_tensor(size) for size in x.shape]).max(0).values - x.shape[1]",
)


@pytest.mark.parametrize("made", [*REMEMBERED, *FORGOTTEN])
def test_whose_number_is_remembered(
    made: str, check_text: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(PROGRAM, made=made)
    assert {one.code for one in check_text(text).findings} == ({"EDB103"} if made in FORGOTTEN else set())
    module = load(text, tmp_path, "constant")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for strict in (False, True):
        assert model_exports(module.model, module.example_args, strict=strict) is (made in REMEMBERED)
