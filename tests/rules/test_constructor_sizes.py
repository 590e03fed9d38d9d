"""The sizes that a constructor gives weights, buffers and attributes, from its arguments where the model is exported, or from
its defaults: what check says of a dimension that meets them, beside what export makes of it (torch 2.13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .test_sizes_demanded import FIXED, N, codes, prove

if TYPE_CHECKING:
    from .conftest import Checker

PROGRAM = """\
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim


@dataclass
class Config:
    width: int = 6


class Block(nn.Module):
    def __init__(self, width, inner=None):
        super().__init__()
        self.up = nn.Linear(width, inner or 4 * width)

    def forward(self, x):
        return self.up(x)


class Net(nn.Module):
    def __init__(self, {parameters}):
        super().__init__()
        {constructor}

    def forward(self, x):
        return {body}


WIDTH = 6
model = {model}.eval()
example_args = ({args},)
dynamic_shapes = ({dims},)
"""
UNREAD = "Net(int(torch.tensor(6)))"
# The constructor's parameters, what it does, the model, the body, the example, the dimensions, and the rule; "" where it
# exports.
ROWS = [
    # A number that nobody reads is one size as well.
    ("width", "self.up = nn.Linear(width, 2)", UNREAD, "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width", "self.up = nn.Linear(width, 2)", UNREAD, "self.up(x)", "torch.randn(2, 6)", "{0: N}", ""),
    ("width", "self.up = nn.Linear(width, 2)", UNREAD, "self.up(x.T)", "torch.randn(6, 2)", "{0: N}", FIXED),
    ("width", "self.up = nn.Linear(2 * width, 2)", UNREAD, "self.up(torch.cat([x, x], 1))", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width", "self.up = nn.LayerNorm(width)", UNREAD, "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width", "self.up = nn.LayerNorm(width)", UNREAD, "self.up(x)", "torch.randn(2, 6)", "{0: N}", ""),
    ("width", "self.up = nn.Conv1d(width, 2, 1)", UNREAD, "self.up(x)", "torch.randn(2, 6, 8)", "{1: N}", FIXED),
    ("width", "self.up = nn.Conv1d(width, 2, 1)", UNREAD, "self.up(x)", "torch.randn(2, 6, 8)", "{2: N}", ""),
    ("width", "self.up = nn.BatchNorm1d(width)", UNREAD, "self.up(x)", "torch.randn(2, 6, 8)", "{1: N}", FIXED),
    ("width", "self.up = nn.GRUCell(width, 3)", UNREAD, "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width", "self.up = nn.Parameter(torch.ones(width, 2))", UNREAD, "x @ self.up", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width", "self.up = nn.Parameter(torch.ones(width, 2))", UNREAD, "x @ self.up", "torch.randn(2, 6)", "{0: N}", ""),
    ("width", "self.up = nn.Parameter(torch.ones(2, width))", UNREAD, "F.linear(x, self.up)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width=6", "self.up = nn.Linear(width, 2)", "Net()", "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width=6", "self.up = nn.Linear(width, 2)", "Net()", "self.up(x)", "torch.randn(2, 6)", "{0: N}", ""),
    ("width", "self.up = nn.Linear(width, 2)", "Net(6)", "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width", "self.up = nn.Linear(width, 2)", "Net(width=WIDTH)", "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width: int = 3", "self.up = nn.Linear(width, 2)", "Net(6)", "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("*, width=6", "self.up = nn.Linear(2 * width, 2)", "Net()", "self.up(x)", "torch.randn(2, 12)", "{1: N}", FIXED),
    ("n=6", "self.pos = nn.Parameter(torch.zeros(1, n, 4))", "Net()", "x + self.pos", "torch.randn(2, 6, 4)", "{1: N}", FIXED),
    ("n=6", "self.pos = nn.Parameter(torch.zeros(1, n, 4))", "Net(1)", "x + self.pos", "torch.randn(2, 6, 4)", "{1: N}", ""),
    ("n=1", "self.pos = nn.Parameter(torch.zeros(1, n, 4))", "Net()", "x + self.pos", "torch.randn(2, 6, 4)", "{1: N}", ""),
    ("n=6", "self.pos = nn.Parameter(torch.zeros(1, n, 4))", "Net()", "x + self.pos", "torch.randn(2, 6, 4)", "{0: N}", ""),
    ("n=6", "self.register_buffer('t', torch.ones(n))", "Net()", "x * self.t", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("n=6", "self.t = torch.ones(n)", "Net()", "x * self.t", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("n=6", "self.t = torch.ones(n)", "Net()", "x * self.t", "torch.randn(2, 6)", "{0: N}", ""),
    ("n=6", "self.n = n", "Net()", "x.view(-1, self.n)", "torch.randn(12)", "{0: N}", "EDB308"),
    ("n=6", "self.n = n", "Net()", "x.view(-1, self.n)", "torch.randn(12)", "{0: 6 * N}", ""),
    ("n=6", "self.n = n", "Net()", "x.view(x.shape[0], self.n // 2, 2)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("n=6", "self.n = n", "Net()", "x.view(x.shape[0], self.n // 2, 2)", "torch.randn(2, 6)", "{0: N}", ""),
    ("c=2, k=3", "self.conv = nn.Conv1d(c, 4, k)", "Net()", "self.conv(x)", "torch.randn(3, 2, 8)", "{1: N}", FIXED),
    ("c=2, k=3", "self.conv = nn.Conv1d(c, 4, k)", "Net()", "self.conv(x)", "torch.randn(3, 2, 8)", "{2: N}", "EDB308"),
    ("c=2, k=3", "self.conv = nn.Conv1d(c, 4, k, padding=k // 2)", "Net()", "self.conv(x)", "torch.randn(3, 2, 8)", "{2: N}", ""),
    ("heads=2, width=6", "self.h, self.d = heads, width // heads", "Net()", "x.view(x.shape[0], self.h, self.d)",
     "torch.randn(2, 6)", "{1: N}", FIXED),
    ("sizes=(6, 4)", "self.layers = nn.Sequential(nn.Linear(sizes[0], sizes[1]), nn.ReLU())", "Net()", "self.layers(x)",
     "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width=6", "self.block = Block(width)", "Net()", "self.block(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width=6", "self.block = Block(width, inner=3)", "Net()", "self.block(x) + torch.ones(3)", "torch.randn(2, 6)", "{0: N}", ""),
    ("config", "self.up = nn.Linear(config.width, 2)", "Net(Config())", "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("config", "self.up = nn.Linear(config.width, 2)", "Net(Config(width=6))", "self.up(x)", "torch.randn(2, 6)", "{0: N}", ""),
    ("width=6, deep=False", "self.up = nn.Linear(width if deep else 4, 2)", "Net()", "self.up(x)", "torch.randn(2, 4)", "{0: N}", ""),
    ("width=6", "self.up = nn.LayerNorm(width)", "Net()", "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width=6", "self.up = nn.Embedding(9, width)", "Net()", "x @ self.up.weight.T", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width=6", "self.up = nn.MultiheadAttention(width, 2, batch_first=True)", "Net()", "self.up(x, x, x)[0] + torch.ones(6)",
     "torch.randn(2, 5, 6)", "{0: N}", ""),
    ("width=6", "self.up = nn.LSTM(width, 4, bidirectional=True, batch_first=True)", "Net()", "self.up(x)[0] @ torch.ones(8, 1)",
     "torch.randn(2, 5, 6)", "{0: N}", ""),
    ("width=6", "self.up = nn.GRUCell(width, 4)", "Net()", "self.up(x)", "torch.randn(2, 6)", "{1: N}", FIXED),
    ("width=6", "self.up = nn.GRUCell(width, 4)", "Net()", "self.up(x) + torch.ones(4)", "torch.randn(2, 6)", "{0: N}", ""),
    ("width=6", "self.up = nn.LSTMCell(width, 4)", "Net()", "self.up(x)[0] + torch.ones(2, 4)", "torch.randn(2, 6)", "{0: N}", FIXED),
    ("width=6", "self.up = nn.LSTMCell(width, 4)", "Net()", "self.up(x)[0] + torch.ones(4)", "torch.randn(2, 6)", "{0: N}", ""),
]  # fmt: skip


@pytest.mark.parametrize(("parameters", "constructor", "model", "body", "args", "dims", "code"), ROWS)
def test_constructor(
    request: pytest.FixtureRequest,
    check_text: Checker,
    parameters: str,
    constructor: str,
    model: str,
    body: str,
    args: str,
    dims: str,
    code: str,
) -> None:
    source = PROGRAM.format(
        parameters=parameters, constructor=constructor, model=model, body=body, args=args, dims=dims.replace("N", N)
    )
    assert codes(check_text, source) == {*code.split()}
    prove(request, source, not code)


def test_two_models_of_one_class(check_text: Checker) -> None:
    """What one of two models has is no size of the other."""
    source = PROGRAM.partition("WIDTH")[0].format(
        parameters="n=6", constructor="self.pos = nn.Parameter(torch.zeros(n))", body="x + self.pos"
    )
    calls = 'torch.export.export({}, (torch.randn(6),), dynamic_shapes=({{0: Dim("n")}},))\n'
    assert codes(check_text, source + calls.format("Net(6)")) == {FIXED}
    assert codes(check_text, source + calls.format("Net(6)") + calls.format("Net(1)")) == set()


def test_what_a_method_puts_there_before_the_export(check_text: Checker) -> None:
    source = PROGRAM.format(
        parameters="n=6", constructor="self.t = torch.ones(n)", model="Net()", body="x * self.t", args="torch.randn(2, 6)",
        dims=f"{{1: {N}}}",
    )  # fmt: skip
    source = source.replace("    def forward(self, x):\n        return x * ", "    def resize(self, n):\n        self.t = torch.ones(n)\n\n    def forward(self, x):\n        return x * ")  # fmt: skip
    assert "def resize" in source
    assert codes(check_text, source) == set()
