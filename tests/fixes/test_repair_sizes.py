"""Operators on rows that a mask picks, of which no fix may make others."""

from __future__ import annotations

import ast

import proof
import pytest

from ..programs import fill

ROWS = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        rows = x[x[:, 0] > 0]
        {body}


example_args = (torch.ones(4, 2),)
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return rows.chunk(2)[1]", "a part that need not be there"),
        ("first, second = rows.chunk(2); return first", "more than one part is used"),
        ("return rows.split(2)[1]", "a part that need not be there"),
        ("return rows.roll(1)", "an argument is not a literal"),
        ("return rows.roll((1, 1), (0, 1))", "an argument is not a literal"),
        ("return (rows > 1).diff(dim=0)", "differences of booleans are something else"),
        ("return rows.diff(n=2, dim=0)", "another difference"),
        ("return rows.diff(dim=0, prepend=rows[:1])", "unsupported arguments"),
        ("return rows.logsumexp((0, 1))", "an argument is not a literal"),
        ("return x.mul_(2) + x[x[:, 0] > 1].logsumexp(0)", "the line has another side effect"),
        ("return x if x.shape[1] > 3 else x[x[:, 0] > 1].logsumexp(0)", "it is only computed conditionally"),
        ("return torch.nn.utils.rnn.pad_sequence([*x, rows])", ""),
        (
            "y = torch.nn.utils.rnn.pad_sequence([x, rows]); return y if y.shape[0] > 4 else y * 2",
            "the padded size is read",
        ),
    ],
    ids=[
        "second",
        "both",
        "second split",
        "flat",
        "two",
        "booleans",
        "twice",
        "before",
        "all",
        "writes",
        "if",
        "many",
        "asked",
    ],
)
def test_rows_whose_number_is_needed_stay(body: str, reason: str) -> None:
    text = fill(ROWS, body=body)
    assert "Use an equivalent that accepts a data-dependent row count" not in proof.repair_refused(text, reason).titles


PARTS = """\
import torch
from torch.nn.utils.rnn import pad_sequence


class Net(torch.nn.Module):
    def forward(self, x, lengths: torch.Tensor):
        {body}


example_args = (torch.ones(4, 2), torch.tensor([1, 3]))
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "return pad_sequence(x.split(lengths.tolist()), padding_value=x.shape[0] * 0.5)",
            "the padding is not a literal",
        ),
        (
            "return pad_sequence(torch.tensor_split(x, lengths.cumsum(0)))",
            "not the parts of one tensor by their lengths",
        ),
        (
            "return pad_sequence(torch.tensor_split(x, lengths[:-1]))",
            "not the parts of one tensor by their lengths",
        ),
        (
            "parts = x.split(lengths.tolist()); x = x + 1; return pad_sequence(parts) + x.sum()",
            "the tensor may be another one by now",
        ),
        (
            "parts = x.split(lengths.tolist()); lengths.add_(1); return pad_sequence(parts)",
            "the tensor may be another one by now",
        ),
        (
            "y = pad_sequence(x.split(lengths.tolist())); return y if y.shape[0] > 2 else y * 2",
            "the padded size is read",
        ),
    ],
    ids=["padding", "no last part", "places", "another", "changed", "asked"],
)
def test_parts_that_are_not_cut_by_their_lengths_are_not_written_by_a_mask(body: str, reason: str) -> None:
    titles = proof.repair_refused(fill(PARTS, body=body), reason).titles
    assert "Write the rows to the places that a mask of the lengths selects" not in titles


KEPT = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        {body}


example_args = (torch.ones(4, 2),)
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("rows = [row for row in x if row.sum() > 0]; return x * len(rows)", "the list is used as a list"),
        ("rows = [row for row in x if row.sum() > 0]; return sum(rows)", "the list is used as a list"),
        ("rows = [row * 2 for row in x if row.sum() > 0]; return torch.stack(rows)", "the rows are changed as well"),
        (
            "rows = [row for row in x if row.sum() > 0]; x.add_(1); return torch.stack([x[0], *rows])",
            "the rows were views, and something is changed in place",
        ),
        (
            "rows = [row for row in x if row.sum() > 0]; return torch.stack(rows), torch.stack(rows)",
            "each use made a tensor of its own",
        ),
        (
            "rows = [row for row in x if row.sum() > 0]; return torch.stack([x.mean(0), *rows])",
            "an element that is not a row",
        ),
        ("rows = [row for row in x if row.sum() > 0]; return torch.stack(rows, 1)", "the list is used as a list"),
        (
            "rows = [row for row in x if row.sum() > 0 and row[0] > 1]; return torch.stack(rows)",
            "not a plain comparison",
        ),
        (
            "rows = [row for row in x if row.sum().item() > 0]; return torch.stack(rows)",
            "inside a lambda or a comprehension",
        ),
        ("return torch.stack([row for row in x if row.sum() > 0])", "the list has no name of its own"),
    ],
    ids=["len", "sum", "other rows", "written", "twice", "a mean", "along 1", "and", "item", "no name"],
)
def test_rows_that_are_more_than_stacked_stay(body: str, reason: str) -> None:
    text = fill(KEPT, body=body)
    assert "Select the rows with a mask" not in proof.repair_refused(text, reason).titles


PIECES = """\
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.outer = nn.Linear(width, 2)

    def forward(self, x, sizes):
        h = torch.relu(self.inner(x))
        rows = []
        for part in torch.split(h, sizes.tolist()):
            if part.size(0) == 0:
                rows.append(torch.zeros(h.size(1)))
            else:
                rows.append(part.mean(0))
        return self.outer(torch.stack(rows))


model = Net()
example_args = (torch.randn(9, 6), torch.tensor([3, 4, 2]))
inputs = [example_args, (torch.randn(9, 6), torch.tensor([0, 9, 0]))]
"""


def test_a_part_of_a_tensor_whose_size_data_decides_is_reduced_to_one_shape() -> None:
    done = proof.repair(PIECES)
    assert [finding.code for finding in done.left] == []
    assert "torch.cond(part.size(0) == 0" in ast.unparse(ast.parse(done.text))
    proof.prove(PIECES, done.text)
