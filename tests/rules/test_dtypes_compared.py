"""Branches that compare dtypes are decided as the example shows them, as export decides them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checking import Checker

from ..programs import fill, load, model_exports

pytest.importorskip("torch")

PROGRAM = """\
import torch


def is_latent(t):
    return t.dtype == torch.float


class Part(torch.nn.Module):
    def forward(self, x, y):
        z = torch.zeros(3)
        if {condition}:
            return x + 1
        return x * 2 if x.sum() > 0 else x


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def forward(self, x, y):
        return self.part(x, y)


model = Net()
example_args = (torch.randn(3, 4), torch.randint(0, 5, (3, 4)))
"""
# Conditions, and whether they hold.
ROWS = [
    ("x.dtype == torch.float32", True),
    ("x.dtype == torch.float", True),
    ("x.dtype is torch.float", True),
    ("x.dtype != torch.float16", True),
    ("x.dtype in (torch.float, torch.double)", True),
    ("x.dtype not in (torch.half, torch.bfloat16)", True),
    ("y.dtype == torch.long", True),
    ("y.dtype in [torch.int64, torch.int32]", True),
    ("z.dtype == torch.float", True),
    ("(x > 0).dtype == torch.bool", True),
    ("x.to(y.dtype).dtype == torch.int64", True),
    ("x.is_floating_point() and not y.is_floating_point()", True),
    ("torch.is_floating_point(x) and not x.is_complex()", True),
    ("not is_latent(y)", True),
    ("is_latent(y)", False),
    ("x.dtype == torch.double", False),
    ("y.dtype == torch.int", False),
    ("x.dtype == y.dtype", False),
    ("x.dtype in (torch.half, torch.bfloat16)", False),
]


@pytest.mark.parametrize(("condition", "holds"), ROWS, ids=[condition for condition, _ in ROWS])
def test_the_branch_is_the_one_of_the_example(
    condition: str, holds: bool, check_text: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(PROGRAM, condition=condition)
    found = [finding for finding in check_text(text).findings if finding.entry != "Part.forward"]
    assert [finding.code for finding in found] == ([] if holds else ["EDB101"])
    made = load(text, tmp_path, "dtypes")
    monkeypatch.setitem(sys.modules, made.__name__, made)  # Dynamo imports it to look up what its functions read
    for strict in (False, True):
        assert model_exports(made.model, made.example_args, strict=strict) is holds
