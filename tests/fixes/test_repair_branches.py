"""Branches that look like those that a fix rewrites, and that none may touch."""

from __future__ import annotations

import proof
import pytest

NUMBER = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, mask):
        n = mask.sum().item()
        {body}


example_args = (torch.randn(3), torch.ones(3, dtype=torch.int64))
model = Net()
"""


@pytest.mark.parametrize(
    "body",
    [
        "if n == 0: n = 1|return x.sum() / n, n",
        "if n == 0: n = 1|return x[:n]",
        "if n == 0: n = 1|return mask.int().max() * n",
        "if n == 0: n = 1|return x / (n + 0.5)",
        "if n == 0: n = x.shape[0]|return x / n",
        "if 0 < n < 3: x = x / n|return x",
        "for n in range(3): x = x + n|if n > 1: x = x / n|return x",
        "print(n)|if n > 1: x = x / n|return x",
    ],
    ids=["returned", "a size", "whole numbers", "computed with", "another number", "a chain", "a loop", "printed"],
)
def test_a_number_that_is_more_than_asked_for_stays_a_number(body: str) -> None:
    text = NUMBER.format(body=body.replace("|", "\n        "))
    assert "n = mask.sum()\n" not in proof.repair(text).text


CHOSEN = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        m = x.sum()
        if m > 3:
            m = {number}
        return {used}


example_args = (torch.randn(3),)
model = Net()
"""


@pytest.mark.parametrize(
    ("number", "used"),
    [("1.0", "m"), ("1.0", "[x, m]"), ("1.0", "f'{m}'"), ("True", "x * m"), ("1", "x.new_full((2,), m)")],
    ids=["returned", "in a list", "shown", "a bool", "handed on"],
)
def test_a_number_that_is_no_operand_is_no_tensor(number: str, used: str) -> None:
    text = CHOSEN.format(number=number, used=used)
    assert proof.offers(text), "nothing is found"
    assert "torch.where" not in proof.repair(text).text


RAISING = """\
import torch


class Net(torch.nn.Module):
    def __init__(self, strict=True):
        super().__init__()
        self.strict = strict
        self.lin = torch.nn.Linear(3, 3)

    def forward(self, x, kind: torch.Tensor):
        if {first}:
            {side}
        elif kind == 1:
            x = self.lin(x)
        else:
            {last}
        return x


example_args = (torch.randn(2, 3), torch.tensor(1))
model = Net()
"""


@pytest.mark.parametrize(
    "parts",
    [
        {"first": "self.strict and x.shape[0] > 2"},
        {"first": "(k := kind) == 0"},
        {"last": "x = x + 1; raise ValueError('kind')"},
        {"last": "raise"},
    ],
    ids=["Python decides", "a name is bound", "more is done", "raised again"],
)
def test_a_raise_that_is_no_check_of_the_tests_stays(parts: dict[str, str]) -> None:
    text = RAISING.format(**{"first": "kind == 0", "side": "x = -x", "last": "raise ValueError('kind')", **parts})
    assert proof.offers(text), "nothing is found"
    assert "_assert_async" not in proof.repair(text).text


NONE = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        best = None
        for layer in self.layers:
            y = layer(x)
            {body}
        return {used}


example_args = (torch.randn(2, 3),)
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "used"),
    [
        ("if y.sum() > 0: best = y", "x if best is None else best"),
        ("if best is not None and y.sum() > 0: best = best + y", "x if best is None else best"),
        ("if best is None or y.sum() > best.sum(): best = y[:1] if best is None else y", "best"),
    ],
    ids=["None is chosen", "None is kept", "shapes differ"],
)
def test_no_side_gives_none(body: str, used: str) -> None:
    text = NONE.format(body=body, used=used)
    assert "torch.cond" not in proof.repair(text, wanted="torch.cond").text
