"""Operators on parts whose sizes depend on data, of which no fix may make others."""

from __future__ import annotations

import ast

import proof
import pytest

from ..programs import fill

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
