"""A Dim that is declared only by what derives from it (`4 * h`) may be 1, and the program refuses what leaves a size of 1."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from checking import Checker
from exportdb_rules.finding import Mode, Verdict

from ..programs import fill, load

torch = pytest.importorskip("torch")

PROGRAM = """\
import torch
from einops import rearrange
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 3)
        self.conv = nn.Conv1d(2, 2, 4, stride=4)

    def forward(self, x):
        {body}


model = Net()
example_args = (torch.randn(2, {size}),)
h = torch.export.Dim("h", min={low}, max=16)
dynamic_shapes = {{"x": {{1: {dim}}}}}
"""
BOTH, NON_STRICT, NEITHER = {*Mode}, {Mode.NON_STRICT}, set[Mode]()
# What is done, how the dimension is declared, the least `h`, the modes whose program refuses that, and its size.
ROWS: list[tuple[str, str, int, set[Mode], int]] = [
    ("return x * 2", "4 * h", 1, NEITHER, 8),
    ("return self.conv(x[None])", "4 * h", 1, NON_STRICT, 8),
    ("return x.view(2, -1, 4)", "4 * h", 1, NON_STRICT, 8),
    ("return x.view(2, -1, 4)", "4 * h", 2, NEITHER, 8),
    ("return x.view(2, x.shape[1] // 4, 4)", "4 * h", 1, NON_STRICT, 8),
    ("return rearrange(x, 'b (n k) -> b n k', k=4)", "4 * h", 1, NON_STRICT, 8),
    ("return x[:, : x.shape[1] // 4]", "4 * h", 1, NON_STRICT, 8),
    ("return x[:, ::4]", "4 * h", 1, NON_STRICT, 8),
    ("return x.unfold(1, 4, 4)", "4 * h", 1, NON_STRICT, 8),
    # What strict export leaves open is asked by an operator.
    ("return self.lin(x.view(2, -1, 4))", "4 * h", 1, BOTH, 8),
    ("return x.view(2, -1, 4).transpose(1, 2).contiguous()", "4 * h", 1, BOTH, 8),
    ("return x[:, :1] + torch.arange(x.shape[1] // 4)", "4 * h", 1, BOTH, 8),
    ("return x[:, 1:]", "h + 1", 1, NON_STRICT, 8),
    ("return x[:, 1:] + x[:, :-1]", "h + 1", 1, BOTH, 8),
    ("return x[:, 1:] + x[:, :-1]", "h + 1", 2, NEITHER, 8),
    ("return x[:, 11:] * 2", "4 * h", 3, BOTH, 16),
    ("return x[:, 11:] * 2", "4 * h", 4, NEITHER, 16),
    # What eager refuses is not promised.
    ("return x[:, 9]", "4 * h", 1, NEITHER, 16),
    ("torch._check(x.shape[1] > 8); return x * 2", "4 * h", 1, NEITHER, 16),
]


@pytest.mark.parametrize(
    ("body", "dim", "low", "refused", "size"), ROWS, ids=[f"{body} {dim} {low}" for body, dim, low, _, _ in ROWS]
)
def test_what_refuses_the_least_size(
    body: str,
    dim: str,
    low: int,
    refused: set[Mode],
    size: int,
    check_text: Checker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = fill(PROGRAM, body=body, dim=dim, low=str(low), size=str(size))
    found = check_text(text).findings
    assert {mode for one in found for mode in Mode if one.verdict[mode] is Verdict.SPECIALIZES} == refused
    made = load(text, tmp_path, "derived")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    least = torch.randn(2, eval(dim, {"h": low}))
    if not _takes(made.model, least):
        return
    for mode in Mode:
        program = torch.export.export(
            made.model, made.example_args, dynamic_shapes=made.dynamic_shapes, strict=mode is Mode.STRICT
        )
        assert _takes(program.module(), least) is (mode not in refused)


def _takes(model: Any, *inputs: Any) -> bool:
    try:
        model(*inputs)
    except Exception:
        return False
    return True
