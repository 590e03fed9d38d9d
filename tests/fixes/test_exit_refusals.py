"""Loops that are left early, numbers that become tensors, and sizes of example inputs: what is not rewritten."""

from __future__ import annotations

import proof
import pytest

LOOP = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x):
        {before}
        for layer in self.layers:
            {body}
        {after}


model = Net()
example_args = (torch.randn(2, 4),)
"""
REWRITES = ("torch.cond", "while_loop", "torch.where")


def rewritten(text: str) -> bool:
    """Whether a branch or a loop of a program, of which something is found, becomes an operator."""
    fixed = proof.repair_found(text).text
    return any(name in fixed for name in REWRITES)


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [
        ("used = 0", "x = layer(x)\n            if x.sum() > 0:\n                used += 1", "return x, used"),
        ("used = 0", "x = layer(x)\n            used += 1 / (used + 1)\n            if x.sum() > 0:\n                break", "return x, used"),
        ("n = 0", "x = layer(x)\n            if x.sum() > 0:\n                n += 1", "return x[:n]"),
        ("seen = []", "x = layer(x)\n            seen.append(x)\n            if x.sum() > 0:\n                break", "return seen"),
        ("seen = []", "x = layer(x)\n            if x.sum() > 0:\n                break\n            seen.append(x)", "return torch.stack(seen)"),
        ("pass", "y = layer(x)\n            if y.sum() > 0:\n                return y\n            x = y", "return x * 2"),
        (
            "best = x",
            "if layer(x).sum() > 0:\n                best = layer(x)\n                if best.sum() > 9:\n                    continue\n"
            "            else:\n                best = x\n            x = best + 1\n            x = x * 2",
            "return x",
        ),
    ],
    ids=["a count", "a count of rounds", "a size", "a list that is returned", "a list that may stay empty", "another result", "what follows would stand there twice"],
)  # fmt: skip
def test_a_loop_that_is_left_in_another_way_stays(before: str, body: str, after: str) -> None:
    assert not rewritten(LOOP.format(before=before, body=body, after=after))


SIZES = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, hidden=4):
        super().__init__()
        self.wide = nn.Linear(4, hidden)
        self.narrow = nn.Linear(4, 3)

    def forward(self, x, ids):
        if x.sum() > 0:
            out = {one}
        else:
            out = {other}
        return out


model = Net()
example_args = (torch.randn(5, 4), torch.randint(0, 3, (5, 4)))
"""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x", "x.t()"),
        ("self.wide(x)", "self.narrow(x)"),
        ("x.mean(0)", "x.mean(1)"),
        ("x", "ids"),
        ("x[1:]", "x"),
        ("x.max(1)", "x.min(1)"),
        ("torch.zeros(x.shape[0], 3)", "self.wide(x)"),
        ("torch.full((5, 4), 1)", "x"),
        ('{"a": x * 1}', '{"b": x * 2}'),
    ],
)
def test_sides_that_differ_for_the_example_inputs_stay(one: str, other: str) -> None:
    assert not rewritten(SIZES.format(one=one, other=other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x", "self.wide(x)"),
        ("self.narrow(x)", "torch.zeros(x.shape[0], 3)"),
        ("x.mean(1)", "self.narrow(x)[:, 0]"),
        ("x.max(1).values", "x.view(5, 2, 2).flatten(1).sum(dim=-1)"),
        ("x.t() @ x", "torch.cat([x[:2], x[3:5]])"),
        ("ids.float()", "x.unsqueeze(0).repeat(2, 1, 1)[0]"),
        ("ids.to(x.dtype)", "torch.stack(x.unbind(1), 1)"),
    ],
)
def test_sides_that_agree_for_the_example_inputs_are_rewritten(one: str, other: str) -> None:
    text = SIZES.format(one=one, other=other).replace(
        "from torch import nn\n", "import torch.nn.functional as F\nfrom torch import nn\n"
    )
    text += (
        "\ninputs = [(torch.linspace(-2, 3, 20).view(5, 4) * sign, torch.arange(20).view(5, 4)) for sign in (1, -1)]\n"
    )
    fixed = proof.repair(text)
    assert not fixed.left, fixed.text
    proof.prove(text, fixed.text)
