"""Loops that are left early, numbers that become tensors, and sizes of example inputs: what is not rewritten."""

from __future__ import annotations

from collections.abc import Callable

import proof
import pytest

from ..programs import fill

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


def refuse(text: str, reason: str) -> None:
    """Fails where a branch or a loop of a program becomes an operator, or is left for another reason."""
    fixed = proof.repair_refused(text, reason).text
    assert not any(name in fixed for name in REWRITES)


OTHER_WAYS = {
    "a count": (
        "used = 0",
        """
        x = layer(x)
        if x.sum() > 0:
            used += 1
        """,
        "return x, used",
        "the number is used as a Python number",
    ),
    "a count of rounds": (
        "used = 0",
        """
        x = layer(x)
        used += 1 / (used + 1)
        if x.sum() > 0:
            break
        """,
        "return x, used",
        "the number is used as a Python number",
    ),
    "a size": (
        "n = 0",
        """
        x = layer(x)
        if x.sum() > 0:
            n += 1
        """,
        "return x[:n]",
        "the number is used as a Python number",
    ),
    "a list that is returned": (
        "seen = []",
        """
        x = layer(x)
        seen.append(x)
        if x.sum() > 0:
            break
        """,
        "return seen",
        "the list is used in another way as well",
    ),
    "a list that may stay empty": (
        "seen = []",
        """
        x = layer(x)
        if x.sum() > 0:
            break
        seen.append(x)
        """,
        "return torch.stack(seen)",
        "a list may not grow in the first iteration",
    ),
    "another result": (
        "pass",
        """
        y = layer(x)
        if y.sum() > 0:
            return y
        x = y
        """,
        "return x * 2",
        "the loop has another exit",
    ),
    "the following statements would be duplicated": (
        "best = x",
        """
        if layer(x).sum() > 0:
            best = layer(x)
            if best.sum() > 9:
                continue
        else:
            best = x
        x = best + 1
        x = x * 2
        """,
        "return x",
        "the following statements would be duplicated",
    ),
}


@pytest.mark.parametrize(("before", "body", "after", "reason"), OTHER_WAYS.values(), ids=OTHER_WAYS)
def test_a_loop_that_is_left_in_another_way_stays(before: str, body: str, after: str, reason: str) -> None:
    refuse(fill(LOOP, before=before, body=body, after=after), reason)


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
    ("one", "other", "reason"),
    [
        ("x", "x.t()", "the branches may return different dtypes or shapes"),
        ("self.wide(x)", "self.narrow(x)", "the branches may return different dtypes or shapes"),
        ("x.mean(0)", "x.mean(1)", "the branches may return different dtypes or shapes"),
        ("x", "ids", "the branches may return different dtypes or shapes"),
        ("x[1:]", "x", "the branches may return different dtypes or shapes"),
        ("x.max(1)", "x.min(1)", "a branch returns what only torch makes"),
        ("torch.zeros(x.shape[0], 3)", "self.wide(x)", "the branches may return different dtypes or shapes"),
        ("torch.full((5, 4), 1)", "x", "the branches may return different dtypes or shapes"),
        ('{"a": x * 1}', '{"b": x * 2}', "the branches may return different dtypes or shapes"),
    ],
)
def test_sides_that_differ_for_the_example_inputs_stay(one: str, other: str, reason: str) -> None:
    refuse(SIZES.format(one=one, other=other), reason)


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
def test_sides_that_agree_for_the_example_inputs_are_rewritten(
    one: str, other: str, proven_once: Callable[..., None]
) -> None:
    text = SIZES.format(one=one, other=other).replace(
        "from torch import nn\n", "import torch.nn.functional as F\nfrom torch import nn\n"
    )
    text += (
        "\ninputs = [(torch.linspace(-2, 3, 20).view(5, 4) * sign, torch.arange(20).view(5, 4)) for sign in (1, -1)]\n"
    )
    fixed = proof.repair(text)
    assert not fixed.left, fixed.text
    proven_once(lambda: proof.prove(text, fixed.text), text, fixed.text)
