"""What no rewrite can do right is left as it is."""

from __future__ import annotations

from textwrap import dedent, indent

import proof
import pytest

STATE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {first}

    def forward(self, x):
{body}

example_args = (torch.randn(3, 2),)
model = Net()
"""


@pytest.mark.parametrize(
    ("first", "body"),
    [
        ("torch.zeros(1, 2)", "self.kept = self.kept * 0.5 + x; return self.kept * 2"),
        ("torch.zeros(3, 2, dtype=torch.int64)", "y = self.kept + x; self.kept = x; return y"),
        ("torch.zeros(3, 2)", "y = x * 2 + self.kept; self.kept = y; y.add_(1); return y"),
        ("torch.zeros(3, 2)", "y = x + self.kept; self.kept = x[:2]; return y"),
        ("torch.zeros(3, 2)", "y = x if self.kept is None else self.kept; self.kept = x; return y"),
        ("0", "self.kept += 1; return x * 2**self.kept"),
        ("0", "self.kept += 1; return x[self.kept % 3]"),
        ("0", "self.kept += 1; return x.sum() * (self.kept / 3)"),
        ("0", "self.kept += 1; return [x, x + 1][self.kept % 2]"),
    ],
    ids=["grows", "another dtype", "written later", "a part", "identity", "power", "index", "double", "list"],
)
def test_an_attribute_that_no_buffer_can_stand_for_stays(first: str, body: str) -> None:
    text = STATE.format(first=first, body=indent(dedent(body.replace("; ", "\n")), " " * 8))
    assert proof.offers(text), "nothing is found"
    assert "register_buffer" not in proof.repair(text).text


ROWS = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, mask):
        out = x.clone()
        total = x.new_zeros(())
        for i in mask.nonzero():
            {body}
        return total, out
"""


@pytest.mark.parametrize(
    "body",
    [
        "total = total * 2 + x[i[0], i[1]]",
        "total = total + x[i[0], i[1]] * x[0]",
        "total = total + torch.softmax(x[i], -1).sum()",
        "out[i[0]] = x[i[1]]",
        "out[i[0], i[1]] = out[i[1], i[0]]",
        "out[i[0]] += out[i[1]]",
        "out[i[0]] = x[i[0]]; total = total + out[i[1]].sum()",
        "total = total + x[i[0] - 1, i[1]]",
        "if x[i[0], i[1]] > 0: total = total + 1",
    ],
    ids=["scaled", "a row", "a sum", "overwritten", "swapped", "read", "read after", "computed", "a branch"],
)
def test_rows_that_hang_together_are_not_indexed_at_once(body: str) -> None:
    text = ROWS.format(body=body.replace("; ", "\n            "))
    assert proof.offers(text), "nothing is found"
    assert "Index all rows at once" not in proof.repair(text).titles


ALIASED = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        out = x * 2
        y = y * 3
        {before}if x.sum() > 0:
            {side}
        {after}
        return out, y
"""


@pytest.mark.parametrize(
    ("before", "side", "after"),
    [
        ("", "out = y", "y.add_(1)"),
        ("other = out; ", "out = out + 1", "out.add_(1); y = other"),
        ("self.seen = out; ", "out += 1", "out.mul_(2)"),
        ("", "out = x", "out.mul_(2)"),
    ],
    ids=["another tensor", "another name", "an attribute", "an input"],
)
def test_a_copy_is_not_made_of_what_others_see_change(before: str, side: str, after: str) -> None:
    text = ALIASED.format(before=before.replace("; ", "\n        "), side=side, after=after.replace("; ", "\n        "))
    text += "\ninputs = [(torch.ones(2), torch.ones(2)), (-torch.ones(2), torch.ones(2))]\n"
    fixed = proof.repair(text)
    inputs = proof.load(text)["inputs"]
    truth = proof.play(proof.model(text), inputs)
    assert proof.difference(truth, proof.play(proof.model(fixed.text), inputs)) == ""


FLOATS = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        scale = x.std().item()
        if scale > 1:
            x = x / scale
        return x


example_args = (torch.randn(3, 4),)
model = Net()
"""


def test_no_branch_closes_over_a_float_from_data() -> None:
    assert proof.offers(FLOATS), "nothing is found"
    assert "torch.cond" not in proof.repair(FLOATS, wanted="torch.cond").text


LIMITED = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 1e3:
            return x
        top = x.max().item()
        return x / max(top, 1e-6)


example_args = (torch.rand(3, 4),)
model = Net()
"""


def test_nothing_is_moved_into_a_branch_that_decides_a_number_from_data_there() -> None:
    assert proof.offers(LIMITED), "nothing is found"
    assert "torch.cond" not in proof.repair(LIMITED, wanted="torch.cond").text
