"""A guard whose body does something for an empty selection, or may do something, stays."""

from __future__ import annotations

import proof
import pytest

from ..programs import fill

NET = """\
import torch
from torch import nn


# exportdb: args=(torch.randn(4, 3), torch.zeros(4, 3, dtype=torch.bool), torch.arange(3), torch.randn(5))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(3, 3)
        self.norm = nn.BatchNorm1d(3)
        self.calls = 0

    def forward(self, x, mask, index, other):
        x, loss = self.proj(x), x.sum()
        {body}
        return x, loss
"""
IDLE = "the body may do something for an empty selection"
QUESTION = "more than work that makes a tensor fit"
ROWS = "it may write rows where the condition does not hold"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if mask.any():\n    loss = loss + x[mask].mean()", IDLE),
        ("if mask.any():\n    loss = loss + x[mask].max()", IDLE),
        ("if mask.any():\n    x = x * 2", IDLE),
        ("if mask.any():\n    x[~mask] = 0.0", IDLE),
        ("if mask.any():\n    x[mask | (x > 0)] = 0.0", IDLE),
        ("if mask.any():\n    mask = x > 0\n    x[mask] = 0.0", IDLE),
        ("if (x > 1).any():\n    x = x.masked_fill(x > 1, 1.0)\n    x = x.masked_fill(x > 1, 0.0)", IDLE),
        ("if mask.any():\n    self.calls += 1\n    x[mask] = 0.0", IDLE),
        ("if mask.any():\n    x[mask] = 0.0\n    print(x)", IDLE),
        ("if mask.any():\n    x[mask] = other", IDLE),
        ("if mask.any():\n    x[mask[:, 0]] = self.norm(x[mask[:, 0]])", IDLE),
        ("if mask.any():\n    x = torch.where(mask, other.double()[:3], x)", IDLE),
        ("if mask.any():\n    for i in range(2):\n        x[mask] = i", "more than assignments"),
        ("if mask.any():\n    x[mask] = 0.0\nelse:\n    x = x + 1", "the sides do more than to give one value each"),
        ("if index.any():\n    x[index] = 0.0", QUESTION),
        ("if mask.sum() > 1:\n    x[mask] = 0.0", QUESTION),
        ("if other.sum() > 0:\n    x[mask] = 0.0", QUESTION),
        ("if not mask.any():\n    x[mask] = 0.0", "the jump leads elsewhere"),
        ("if mask.all():\n    x[mask] = 0.0", "the jump leads elsewhere"),
        ("if mask.any(0)[0]:\n    x[mask] = 0.0", QUESTION),
        ("chosen = mask.sum()\nmask[0, 0] = True\nif chosen > 0:\n    x[mask] = 0.0", QUESTION),
        ("chosen = mask.sum()\nmask = x > 0\nif chosen > 0:\n    x[mask] = 0.0", QUESTION),
        ("places = mask[:, 0].nonzero()\nif places.numel() > 0:\n    x[places[0]] = 0.0", IDLE),
        ("places = mask[:, 0].nonzero()\nif places.numel() > 1:\n    x[places] = 0.0", QUESTION),
        ("if mask[:, 0].any():\n    part = x[mask[:, 0]]\n    part = x * 2\n    x[mask[:, 0]] = part", IDLE),
        ("if mask[:, 0].any():\n    one, two = x[mask[:, 0]].chunk(2, dim=0)\n    x[mask[:, 0]] = one", IDLE),
        ("if not mask.any():\n    return x, loss\nx = x + 1", IDLE),
        ("if not mask.any():\n    return x, x\nx[mask] = 0.0", "another result for an empty selection"),
        ("y = x.view(3, 4)\nif mask.any():\n    x = x.masked_fill(mask, 0.0)\nx += 1\nloss = y.sum()", IDLE),
        ("if not mask.any():\n    mask = None; loss = x.max()\nif mask is not None:\n    x[mask] = 0.0", "the jump leads elsewhere"),
        ("if not mask.any():\n    mask = None\nloss = loss if mask is None else loss + 1", "the jump leads elsewhere"),
        ("y = x[mask[:, 0]]\nif len(y) > 1:\n    y[0:1] = y[:-1]", ROWS),
        ("y = x[mask[:, 0]]\nif len(y) > 2:\n    y[1:] = y[1:] * 2", ROWS),
        ("y = x[mask[:, 0]]\nif len(y) > 1:\n    y[1:] = x[0]", ROWS),
    ],
    ids=[
        "mean of nothing", "max of nothing", "another value", "the others", "more than the mask", "another mask",
        "a mask that changes", "a counter", "output", "a value of five rows", "a layer", "another dtype", "a loop",
        "an else", "an index of numbers", "more than one", "another tensor", "the opposite", "all of them",
        "one column", "a mask that was written", "a mask that was replaced", "the first place", "more than one place",
        "rows that are replaced", "parts of the rows", "skipped work", "another result", "a view that sees it", "more than a mask that becomes None", "a choice by None",
        "the first row", "a single row", "a row of another tensor",
    ],
)  # fmt: skip
def test_a_guard_that_matters_stays(body: str, reason: str) -> None:
    done = proof.repair(fill(NET, body=body))
    assert not [title for title in done.titles if "guard" in title]
    assert reason in done.refused


SAME = "another result for an empty selection"


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("rows, loss", "rows[:1], loss * 2"),
        ("rows", "rows.double()"),
        ("rows", "rows[rows > 0]"),
        ("rows", "rows[(rows > 0).nonzero()]"),
        ("rows, loss", "[rows, loss]"),
        ("rows", "rows, loss"),
        ("rows.new_zeros((0, 3), dtype=torch.int64)", "rows * 2"),
        ("rows.new_zeros((1, 3))", "rows * 2"),
        ("rows.new_zeros(0)", "rows * 2"),
        ("None", "rows"),
    ],
)
def test_an_early_return_of_something_else_stays(early: str, late: str) -> None:
    body = f"rows = x[mask[:, 0]]\nif len(rows) == 0:\n    return {early}\nx = x + 1\nreturn {late}"
    done = proof.repair(fill(NET.replace("\n        return x, loss", ""), body=body))
    assert not [title for title in done.titles if "guard" in title]
    assert SAME in done.refused


PADDED = """\
import torch
import torch.nn.functional as F
from torch import nn


# exportdb: args=(torch.randn(2, 10),) dynamic_shapes={{"x": {{1: Dim("n", min=2)}}}}
class Net(nn.Module):
    def forward(self, x):
        n = x.shape[1]
        {body}
        return x.relu()
"""


@pytest.mark.parametrize(
    "body",
    [
        "if n % 8 != 0:\n    x = F.pad(x, (0, 8 - n % 4))",
        "if n % 8 != 0:\n    x = F.pad(x, (0, 9 - n % 8))",
        "if n > 8:\n    x = F.pad(x, (0, 8 - n % 8))",
        "if n % 8:\n    pad = 8 - n % 8\n    x = F.pad(x, (0, pad))\nelse:\n    pad = 1",
        "pad = 3\nif n % 8:\n    pad = 8 - n % 8\n    x = F.pad(x, (0, pad))\nx = x + pad",
        "if n % 8:\n    x = torch.cat([x, torch.zeros(2, n % 8, dtype=torch.float64)], 1)",
        "if n % 8:\n    x = torch.cat([x, torch.zeros(n % 8, 2)], 1)",
        "if n % 8:\n    x = torch.cat([x, x], 1)",
        "if n % 8:\n    pad = x * (n % 8)",
        "if n > 4:\n    x = x[:, :4]",
        "if n > 8:\n    x = x[:, :8]\nelse:\n    x = F.pad(x, (0, 9 - n))",
        "if n > 8:\n    x = x[:, :8]\nelse:\n    x = F.pad(x, (8 - n, 0))",
        "if n > 8:\n    x = x[:, :8]\nelse:\n    x = F.pad(x, (0, 0, 0, 8 - n))",
        "if n > 8:\n    x = x[:8]\nelse:\n    x = F.pad(x, (0, 8 - n))",
        "if n < 8:\n    x = x[:, :8]\nelse:\n    x = F.pad(x, (0, 8 - n))",
        "if n > 8:\n    x = x[:, :8]\nelse:\n    x = F.pad(x, (0, 8 - n), mode='reflect')",
        "if n > 8:\n    x = x[:, :8]\nelif n < 7:\n    x = F.pad(x, (0, 8 - n))",
        "if n > 8:\n    x = x[:, :8]\nelif n > 8:\n    x = F.pad(x, (0, 8 - n))",
        "if n > 4:\n    x = F.pad(x, (0, n))",
        "if n - 4 > 0 or n - 6 > 0:\n    x = F.pad(x, (n - 4, n - 6))",
        "if n % 8 > 0 and n > 3:\n    x = F.pad(x, (0, n % 8))",
        "if n % 8 > 0:\n    x = F.pad(x, (n % 8, n % 4))",
        "if n % 8 > 1:\n    x = F.pad(x, (0, n % 8))",
        "if not n % 8:\n    x = F.pad(x, (0, n % 8))",
        "if n % 8:\n    x = F.pad(x, (0, n % 8), mode='circular')",
        "if n % 8:\n    x = F.pad(x * 2, (0, n % 8))",
        "if n % 8:\n    x = F.pad(x, (0, n % 8))\nelse:\n    x = x + 1",
        "if n % 8:\n    n = 3\n    x = F.pad(x, (0, n % 8))",
    ],
)
def test_a_guard_around_padding_that_says_more_stays(body: str) -> None:
    done = proof.repair(fill(PADDED, body=body))
    assert not [title for title in done.titles if "guard" in title]


@pytest.mark.parametrize(
    "body",
    [
        "if mask.any():\n    loss = x[mask[:, 0]].sum() + 1\nelse:\n    loss = x.sum()",
        "rows = x[mask[:, 0]]\nif len(rows) > 0:\n    y = self.proj(rows)\nelse:\n    y = x.new_zeros((1, 3))",
        "rows = x[mask[:, 0]]\nif len(rows) > 0:\n    y = self.proj(rows)\nelse:\n    y = x.new_zeros((0, 3), dtype=torch.int64)",
        "rows = x[mask[:, 0]]\nif len(rows) > 0:\n    y = self.proj(rows)\nelse:\n    z = x.new_zeros((0, 3))",
        "rows = x[mask[:, 0]]\nif len(rows) > 0:\n    x = x * 2\n    y = self.proj(rows)\nelse:\n    y = x.new_zeros((0, 3))",
        "rows = x[mask[:, 0]]\nif len(rows) > 0:\n    y = self.proj(rows)\nelse:\n    # none\n    y = x.new_zeros((0, 3))",
        "rows = x[mask[:, 0]]\nif len(rows) > 0:\n    n = len(x)\nelse:\n    n = 0",
    ],
)
def test_sides_that_give_something_else_stay(body: str) -> None:
    done = proof.repair(fill(NET, body=body))
    assert not [title for title in done.titles if "guard" in title]


ROWS = """\
import torch
from torch import nn


# exportdb: args=(torch.randn(6, 5),)
class Net(nn.Module):
    def forward(self, x):
        rows = x[x[:, 0] > 0]
        n = rows.shape[0]
        {body}
        return rows.sin()
"""


@pytest.mark.parametrize(
    "body",
    [
        "if n > 3:\n    rows = rows[:2]",
        "if n > 3:\n    rows = rows[:, :3]",
        "if n > 3:\n    rows = rows[1:3]",
        "if n > 3:\n    rows = rows[:3:2]",
        "if n < 3:\n    rows = rows[:3]",
        "if n > 3:\n    rows = x[:3]",
        "rows = rows[1:]\nif n > 3:\n    rows = rows[:3]",
        "if n > 3 or n < 1:\n    rows = rows[:3]",
    ],
)
def test_a_guard_around_a_slice_that_takes_less_than_all_stays(body: str) -> None:
    done = proof.repair(fill(ROWS, body=body))
    assert not [title for title in done.titles if "guard" in title]
