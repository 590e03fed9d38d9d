"""Branches that `torch.cond` would not export, or not run in eager, however alike what the sides return is."""

from __future__ import annotations

import proof
import pytest

from ..programs import fill

SIZES = """\
import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def forward(self, x, y):
        n = x.shape[0]
        {body}


example_args = (torch.randn(6, 3), torch.randn(4, 3))
dynamic_shapes = ({{0: Dim("n")}}, {{0: Dim("m")}})
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "k = n // 2\nif k > 4:\n    k = 4\nreturn x[:k].sum(0)",
            "each side would assert its own bound of a dynamic dimension",
        ),
        (
            "k = n // 2\nif k > 4:\n    k = 4\nlast = k + 1\nz = y.sin()\nreturn x[1:last].sum(0) + z.sum(0)",
            "each side would assert its own bound of a dynamic dimension",
        ),
        ("if n != y.shape[0]:\n    y = y.sum(0)\nreturn x + y", "a side may need the sizes to be equal"),
        (
            "if n == y.shape[0]:\n    return (x + y).sum(0)\nreturn x.sum(0) + y.sum(0)",
            "a side may need the sizes to be equal",
        ),
    ],
    ids=["bound", "bound by way of another name", "rest", "side"],
)
def test_a_branch_on_sizes_that_its_sides_rely_on_stays(body: str, reason: str) -> None:
    titles = proof.repair_refused(fill(SIZES, body=body), reason).titles
    assert not [title for title in titles if "torch.cond" in title]


NUMBERS = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, n: int):
        {body}


example_args = (torch.randn(6, 3), 4)
model = Net()
"""


def test_sizes_by_a_number_that_the_sides_bind_are_not_taken_to_be_equal() -> None:
    body = "if x.sum() > 0:\n    k = n\nelse:\n    k = n + 1\nreturn x.new_zeros(k)"
    assert not proof.repair_refused(
        fill(NUMBERS, body=body), "the branches may return different dtypes or shapes"
    ).titles


PASSED_ON = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, n: int):
        first, second, third, last = x.clone(), x.clone(), x.clone(), x.clone()
        {body}
        if x.sum() > 0:
            first.add_(1)
            y = last * 2
        else:
            y = first * 3
        return y, first


example_args = (torch.rand(3), 4)
model = Net()
"""


@pytest.mark.parametrize(
    "body",
    [
        "for _ in range(n):\n    first = last",
        "for _ in range(n):\n    first = second\n    second = last",
        "for _ in range(n):\n    first = second\n    second = third\n    third = last",
        "parts = [x, last]\nfirst = parts[1]\nparts[0] = x + 1\nlast = parts[1]",
    ],
    ids=["round", "two rounds", "three rounds", "item"],
)
def test_a_tensor_that_another_name_reads_is_not_written_in_a_branch(body: str) -> None:
    proof.repair_refused(fill(PASSED_ON, body=body), "last may share the storage of first, which is changed in place")


NESTED = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, mask=None):
        {body}


example_args = (torch.randn(2, 3), torch.zeros(2, 3, dtype=torch.bool))
model = Net()
"""


@pytest.mark.parametrize(
    "body",
    [
        "if x.sum() > 0:\n    for i in range(2):\n        if x[i].sum() > 0:\n            x = x.sin()\nreturn x * 2",
        "if x.sum() > 0:\n    x = x.sin() if x.mean() < 1 else x.exp()\nreturn x * 2",
        (
            "if mask is not None and not mask.any():\n    mask = None\n"
            "if mask is not None and mask.all():\n    return torch.zeros_like(x)\n"
            "y = x if mask is None else x.sin()\nreturn y * 2"
        ),
    ],
    ids=["loop", "ternary", "rest"],
)
def test_a_branch_around_another_branch_on_data_waits_for_that(body: str) -> None:
    proof.repair_refused(fill(NESTED, body=body), "a branch on data is left in the code of a side")


SOME_OR_ALL_ROWS = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n_mel=4, d=6):
        super().__init__()
        self.lin = nn.Linear(n_mel, d)
        self.att = nn.Linear(d, 1)
        self.register_buffer("unknown", torch.zeros(2, d))

    def pooled(self, frames):
        h = torch.tanh(self.lin(frames))
        w = torch.softmax(self.att(h), dim=0)
        return (w * h).sum(0)

    def forward(self, mel, rotation):
        energy = mel.mean(-1)
        voiced = energy > 0
        if voiced.sum() < 2:
            frames = mel  # too few of them
        else:
            frames = mel[voiced]
        mean = self.pooled(frames)
        return mean, rotation @ mean[:3]


model = Net()
example_args = (torch.randn(5, 4), torch.randn(3, 3))
"""


def test_a_side_with_another_number_of_rows_stays_though_the_rest_makes_one_shape_of_it() -> None:
    titles = proof.repair_refused(SOME_OR_ALL_ROWS, "the branches may return different dtypes or shapes").titles
    assert not [title for title in titles if "torch.cond" in title]


LAYERS = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.within = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))

    def forward(self, x):
        return self.within(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.blocks = nn.ModuleList([Block() for _ in range(2)])

    def forward(self, x):
        norm = self.norm
        if x.sum() > 0:
            {body}
        return x


example_args = (torch.randn(3, 4),)
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("x = self.norm(x)", "self.norm"),
        ("x = norm(x)", "norm"),
        ("x = self.blocks[0](x)", "self.blocks[0]"),
        ("for block in self.blocks: x = block(x)", "block"),
    ],
    ids=["attribute", "local name", "item", "loop"],
)
def test_no_branch_calls_a_layer_that_keeps_statistics(body: str, called: str) -> None:
    done = proof.repair_refused(LAYERS.format(body=body), f"a branch calls {called}, which keeps statistics")
    assert not [title for title in done.titles if "torch.cond" in title]
