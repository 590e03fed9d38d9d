"""What a fix leaves that nothing reads any more goes with it, if to compute it did nothing else."""

from __future__ import annotations

import proof
import pytest

from ..programs import fill

TEXT = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor):
        {body}
        if count > 0:
            x = x.masked_fill(mask, 0)
        return {result}
"""


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("count = mask.sum().item()", "x"),
        ("count = mask.sum().item()  # how many", "x"),
        ("total = mask.sum()\ncount = total.item()", "x"),
        ("chosen = mask.nonzero()\ncount = len(chosen)", "x"),
    ],
)
def test_what_only_the_guard_read_goes_with_it(body: str, result: str) -> None:
    fixed = proof.repair(fill(TEXT, body=body, result=result))
    assert fixed.codes
    assert fixed.text.count("=") == 1, fixed.text
    assert "#" not in fixed.text


@pytest.mark.parametrize(
    ("body", "result", "kept"),
    [
        ("count = mask.sum().item()", "x, count", "count = mask.sum().item()"),
        ("count = mask.sum().item()", "x, (lambda: count)()", "count = mask.sum().item()"),
        ("total = mask.sum()\ncount = total.item()", "x + total", "total = mask.sum()"),
        ("total = torch.rand_like(x).sum()\ncount = mask.sum()", "x", "total = torch.rand_like(x).sum()"),
        ("total = mask.bool_()\ncount = mask.sum()", "x", "total = mask.bool_()"),
    ],
)
def test_what_is_read_or_does_more_stays(body: str, result: str, kept: str) -> None:
    fixed = proof.repair(fill(TEXT, body=body, result=result))
    assert fixed.codes
    assert kept in fixed.text, fixed.text
    assert "if count" not in fixed.text
