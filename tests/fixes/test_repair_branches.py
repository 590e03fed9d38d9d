"""Branches that look like those that a fix rewrites, and that none may touch."""

from __future__ import annotations

import proof
import pytest

from ..programs import fill

NUMBER = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, mask):
        n = mask.sum().item()
        {body}


example_args = (torch.randn(3), torch.ones(3, dtype=torch.int64))
model = Net()
"""


MORE_THAN_ASKED = {
    "returned": (
        """
        if n == 0: n = 1
        return x.sum() / n, n
        """,
        "the number is used as a Python number",
    ),
    "a size": (
        """
        if n == 0: n = 1
        return x[:n]
        """,
        "the number is used as a Python number",
    ),
    "whole numbers": (
        """
        if n == 0: n = 1
        return mask.int().max() * n
        """,
        "the number is computed with what it may promote",
    ),
    "computed with": (
        """
        if n == 0: n = 1
        return x / n**2
        """,
        "the number is computed with",
    ),
    "another number": (
        """
        if n == 0: n = x.shape[0]
        return x / n
        """,
        "no number that is read from a tensor",
    ),
    "a chain": (
        """
        if 0 < n < 3: x = x / n
        return x
        """,
        "n is a data-dependent number, which a branch cannot take as an operand",
    ),
    "a loop": (
        """
        if n > 1: x = x / n
        for n in range(3): x = x + n
        return x
        """,
        "no number that is read from a tensor",
    ),
    "printed": (
        """
        print(n)
        if n > 1: x = x / n
        return x
        """,
        "n is a data-dependent number, which a branch cannot take as an operand",
    ),
}


@pytest.mark.parametrize(("body", "reason"), MORE_THAN_ASKED.values(), ids=MORE_THAN_ASKED)
def test_a_number_that_is_more_than_asked_for_stays_a_number(body: str, reason: str) -> None:
    text = fill(NUMBER, body=body)
    assert "n = mask.sum()\n" not in proof.repair_refused(text, reason).text


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
    ("number", "used", "reason"),
    [
        ("1.0", "m", "the number is used as a Python number"),
        ("1.0", "[x, m]", "the number is used as a Python number"),
        ("1.0", "f'{m}'", "the number is used as a Python number"),
        ("True", "x * m", "the branches may differ in dtype or shape"),
        ("1", "x.new_full((2,), m)", "the number is used as a Python number"),
    ],
    ids=["returned", "in a list", "shown", "a bool", "handed on"],
)
def test_a_number_that_is_no_operand_is_no_tensor(number: str, used: str, reason: str) -> None:
    text = CHOSEN.format(number=number, used=used)
    assert "torch.where" not in proof.repair_refused(text, reason).text


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
    ("body", "used", "reason"),
    [
        ("if y.sum() > 0: best = y", "x if best is None else best", "a branch returns something that is not a tensor"),
        (
            "if y.sum() > 0: best = y if best is None else best + y",
            "x if best is None else best",
            "a branch returns something that is not a tensor",
        ),
        (
            "if best is None or y.sum() > best.sum(): best = y[:1] if best is None else y",
            "best",
            "the branches may return different dtypes or shapes",
        ),
    ],
    ids=["None is chosen", "None is kept", "shapes differ"],
)
def test_no_side_gives_none(body: str, used: str, reason: str) -> None:
    text = NONE.format(body=body, used=used)
    assert "torch.cond" not in proof.repair_refused(text, reason, wanted="torch.cond").text


METHOD = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(3))

    def keep(self, x):
        self.kept.copy_(x.mean(0))

    def forward(self, x):
        if x.sum() > 0:
            self.keep(x)
        return x * 2


example_args = (torch.randn(2, 3),)
model = Net()
"""


def test_a_method_that_a_branch_calls_for_its_effect_is_not_written_out() -> None:
    assert "torch.cond" not in proof.repair_refused(METHOD, "a call for its effect").text


WRITTEN = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, n):
        count = 0x10
        if x.sum() > 0:
            count = count + x.max()
        scale = x.max() if x.sum() > 1 else 0x20
        return x * count * scale


example_args = (torch.randn(0x3), torch.arange(3))
model = Net()
"""


def test_numbers_may_be_written_in_any_way() -> None:
    fixed = proof.repair_found(WRITTEN)
    assert fixed.left == []
    assert "x.new_full((), 16.0)" in fixed.text
    assert "torch.full((), 32.0)" in fixed.text


WHOLE = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, n):
        if x.sum() > 0:
            y = n * {factor}
        else:
            y = n * 2
        return y


example_args = (torch.randn(3), {example})
model = Net()
"""


@pytest.mark.parametrize(
    "example",
    ["torch.arange(6).reshape(3, 2)", "torch.zeros(3, dtype=torch.long)", "torch.randint(0, 5, (3,)).view(-1)"],
)
@pytest.mark.parametrize(("factor", "fixed"), [("0.5", False), ("3", True)])
def test_whole_numbers_of_the_example_stay_whole_on_both_sides(example: str, factor: str, fixed: bool) -> None:
    assert bool(proof.repair_found(WHOLE.format(example=example, factor=factor)).titles) is fixed
