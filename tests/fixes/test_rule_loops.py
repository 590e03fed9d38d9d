"""Loops over rows whose results are stacked: what becomes `vmap`, `map` or `scan`, and what is left alone."""

from __future__ import annotations

from textwrap import dedent, indent

import proof
import pytest
import torch

HEAD = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
{body}

example_args = (torch.ones(4, 3),)
dynamic_shapes = {{"x": {{0: torch.export.Dim.DYNAMIC}}}}
model = Net()
"""


def titles(body: str) -> list[str]:
    """What is offered for the loop of a body."""
    text = HEAD.format(body=indent(dedent(body), " " * 8))
    found = proof.offers(text)
    assert found, "nothing is found"
    return [fix.title.split(" (")[0].removeprefix("Rewrite as ") for _, fixes in found for fix in fixes]


@pytest.mark.parametrize(
    ("body", "operator"),
    [
        ("return torch.stack([row.exp() * 2 for row in x])", "torch.vmap"),
        ("return torch.stack([self.lin(row) for row in x])", "map"),
        ("return torch.stack([x[i].exp() for i in range(x.shape[0])])", "torch.vmap"),
        ("n = x.shape[0]\nreturn torch.stack([self.lin(x[i]) for i in range(n)])", "map"),
        ("out = []\nfor row in x:\n    out.append(self.lin(row))\nreturn torch.cat(out)", "map"),
        ("h, out = torch.zeros(3), []\nfor row in x:\n    out.append(row)\nreturn torch.stack(out)", None),
        ("h = torch.zeros(3)\nout = []\nfor row in x:\n    h = h + row\n    out.append(h)\nreturn torch.stack(out)", "scan"),
        ("h = torch.zeros(3)\nfor row in x:\n    h = h + row\nreturn h", "while_loop"),
        ("out = []\nfor i, row in enumerate(x):\n    out.append(self.lin(row) * i)\nreturn torch.stack(out)", "map"),
        ("out = []\nfor i in range(x.shape[0]):\n    out.append(self.lin(x[i]) + i)\nreturn torch.stack(out)", "map"),
        ("return torch.stack([a * b for a, b in zip(x, x.exp())])", "torch.vmap"),
        ("return torch.stack([row * i for i, row in enumerate(x)])", "torch.vmap"),
        ("return torch.stack([self.lin(a) * b for a, b in zip(x, x.exp())])", "map"),
        ("h = x[0]\nout = [h]\nfor i in range(1, x.shape[0]):\n    h = h * 0.5 + x[i]\n    out.append(h)\nreturn torch.stack(out)", "scan"),
    ],
)  # fmt: skip
def test_a_loop_becomes_the_operator_that_serves_it(body: str, operator: str | None) -> None:
    assert titles(body) == ([] if operator is None else [operator])


@pytest.mark.parametrize(
    "body",
    [
        "return torch.stack([row.argmax() + self.lin(row).argmax() for row in x])",
        "return torch.stack([self.lin(row) for row in x if row is not None])",
        "out = []\nfor row in x:\n    out.append(self.lin(row))\nreturn torch.stack(out), out[0]",
        "out = []\nfor row in x:\n    out.append(self.lin(row))\n    out.append(row)\nreturn torch.stack(out)",
        "out = []\nfor i, row in enumerate(x):\n    out.append(self.lin(row) * int(i))\nreturn torch.stack(out)",
        "out = []\nfor i in range(1, x.shape[0]):\n    out.append(self.lin(x[i]))\nreturn torch.stack(out)",
        "out = [x[0]]\nfor i in range(1, x.shape[0]):\n    out.append(self.lin(x[i] - x[i - 1]))\nreturn torch.stack(out)",
        "seen, out = torch.zeros(3), []\nfor row in x:\n    seen[0] += 1\n    out.append(self.lin(row))\nreturn torch.stack(out) + seen",
        "out = []\nfor row in x:\n    row.mul_(2)\n    out.append(self.lin(row))\nreturn torch.stack(out) + x",
        "out = [x[0], x[0]]\nfor i in range(1, len(x)):\n    out.append(x[i] * 2)\nreturn torch.stack(out)",
        "out = []\nfor i in range(x.shape[0]):\n    out.append(self.lin(x[:, i]))\nreturn torch.stack(out)",
        "return torch.stack([self.lin(row) for row in x[1:]])",
        "out = []\nn = x.shape[0]\nx = x[:2]\nfor i in range(n):\n    out.append(self.lin(x[i]))\nreturn torch.stack(out)",
        "out = []\nfor row in x:\n    y = self.lin(row)\n    out.append(y)\nreturn torch.stack(out) + y",
        "out = []\nh = x[0] * 1\nfor row in x:\n    h += row\n    out.append(h)\nreturn torch.stack(out)",
        "out = []\nh = x[0] * 1\nfor row in x:\n    h = torch.cat([h, row])\n    out.append(h.sum())\nreturn torch.stack(out)",
        "out = []\nfor row in x:\n    x = x * 2\n    out.append(self.lin(row) + x.sum())\nreturn torch.stack(out)",
        "out = []\nfor row in x:\n    self.last = row\n    out.append(self.lin(row))\nreturn torch.stack(out)",
        "out = []\nfor row in x:\n    if len(out) > 2:\n        break\n    out.append(self.lin(row))\nreturn torch.stack(out)",
    ],
)
def test_a_loop_that_does_more_is_left_alone(body: str) -> None:
    assert not {"torch.vmap", "map", "scan"} & set(titles(body))


HELPER = """\
import torch


def halved(row):
    for _ in range(2):
        if {test}:
            return row
        row = row + 1
    return row


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.stack([halved(row) for row in x])


example_args = (torch.ones(4, 3),)
dynamic_shapes = {{"x": {{0: torch.export.Dim.DYNAMIC}}}}
model = Net()
"""


@pytest.mark.parametrize(("test", "expected"), [("row.sum() > 3", []), ("row.dim() > 1", ["map"])])
def test_no_operator_for_rounds_that_call_what_branches_on_data(test: str, expected: list[str]) -> None:
    found = proof.offers(HELPER.format(test=test))
    assert [
        fix.title.split(" (")[0].removeprefix("Rewrite as ")
        for finding, fixes in found
        for fix in fixes
        if finding.code == "EDB303"
    ] == expected


@pytest.mark.parametrize(
    "body",
    [
        "out = []\nfor row in x:\n    out.append(self.lin(row))\nout = torch.stack(out)\nout[0] = 0\nreturn out.view(-1)",
        "out = []\nfor row in x:\n    out.append(self.lin(row))\nreturn torch.stack(out, 1).mul_(2).view(-1)",
        "y = torch.stack([self.lin(row) for row in x])\ny += 1\nreturn y",
    ],
)
def test_what_was_stacked_may_be_written_in_place(body: str) -> None:
    fixed = proof.repair(HEAD.format(body=indent(body, " " * 8)))
    assert fixed.codes == {"EDB303"}
    inputs = [(torch.linspace(-1, 1, 12).view(4, 3),)]
    before = proof.play(proof.model(HEAD.format(body=indent(body, " " * 8))), inputs)
    assert proof.difference(before, proof.play(proof.model(fixed.text), inputs)) == ""


def test_gradients_are_those_of_the_loop() -> None:
    body = "h = torch.zeros(3)\nout = []\nfor row in x:\n    h = h * 0.5 + self.lin(row)\n    out.append(h)\nreturn torch.stack(out)"
    text = HEAD.format(body=indent(body, " " * 8))
    found: list[torch.Tensor] = []
    for version in (text, proof.repair(text).text):
        model = proof.model(version)
        model(torch.linspace(-1, 1, 12).view(4, 3)).square().sum().backward()
        gradient = model.get_parameter("lin.weight").grad
        assert gradient is not None
        found.append(gradient)
    assert torch.allclose(*found)
