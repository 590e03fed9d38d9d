"""Operators that look at their numbers, and packed sequences, where what a fix would write is not the same."""

from __future__ import annotations

from textwrap import dedent, indent

import proof
import pytest

FORMULAS = """\
import math

import torch
import torch.nn.functional as F


def loud(v):
    print(v)
    return v * 2


# exportdb: args=(torch.ones(4, 3), torch.ones(4, 3))
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x, y):
{body}


inputs = [(torch.ones(4, 3), torch.ones(4, 3))]
"""


@pytest.mark.parametrize(
    "body",
    [
        "return torch.cov(x, fweights=torch.ones(3).long())",
        "return torch.cov(x) if self.scale > 1 else x",
        "return torch.combinations(x[0], 3)",
        "return torch.combinations(x[0], int(self.scale))",
        "a = torch.linalg.lstsq(x, y); return a.residuals",
        "return torch.linalg.lstsq(x, y, rcond=0.1).solution",
        "return torch.linalg.lstsq(x.view(2, 2, 3), y.view(-1)[:4].view(2, 2)).solution",
        "return F.gaussian_nll_loss(x, y, y[:, 0])",
        "return F.gaussian_nll_loss(x, y, y, full=self.scale > 1)",
        "return F.ctc_loss(x[:, None], y[:1].long(), torch.tensor([4]), torch.tensor([1]))",
        "return x.clone().apply_(lambda v: 1 / v)",
        "return x.clone().apply_(lambda v: v**0.5)",
        "return x.clone().apply_(math.sqrt)",
        "return x.clone().apply_(lambda v: math.log(v))",
        "return x.clone().apply_(lambda v: v * self.scale)",
        "return x.clone().apply_(lambda v: 0)",
        "return x.clone().apply_(loud)",
        "return x.long().apply_(lambda v: v * 2)",
        "return (x * 2).apply_(lambda v: v + 1)",
    ],
)
def test_an_operator_with_no_formula_stays(body: str) -> None:
    text = FORMULAS.format(body=indent(body.replace("; ", "\n"), " " * 8))
    assert proof.repair_found(text).titles == []


PACKED = """\
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(2, 3, batch_first=True)
        self.deep = nn.GRU(2, 3, 2, batch_first=True, bidirectional=True)
        self.layers = nn.GRU(2, 3, 2, batch_first=True)
        self.cell = nn.Linear(2, 2)

    def forward(self, x, lengths):
{body}


inputs = [(torch.ones(2, 4, 2), torch.tensor([4, 2]))]
"""


@pytest.mark.parametrize(
    "body",
    [
        # Several layers in both directions.
        """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        return pad_packed_sequence(self.deep(packed)[0], batch_first=True)[0]
        """,
        # The packed numbers themselves are used.
        """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        out, _ = self.lstm(packed)
        return out.data
        """,
        """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        return self.cell(packed.data)
        """,
        # Two layers take it.
        """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        out, _ = self.lstm(packed)
        again, _ = self.layers(packed)
        return pad_packed_sequence(out, batch_first=True)[0] + pad_packed_sequence(again, batch_first=True)[0]
        """,
        # What was packed changes before the layer runs.
        """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        x = x * 2
        out, _ = self.lstm(packed)
        return pad_packed_sequence(out, batch_first=True)[0] + x.sum()
        """,
        """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        x.zero_()
        out, _ = self.lstm(packed)
        return pad_packed_sequence(out, batch_first=True)[0]
        """,
        # Padded to another length.
        """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        out, _ = self.lstm(packed)
        return pad_packed_sequence(out, batch_first=True, total_length=6)[0]
        """,
    ],
    ids=["deep", "numbers", "no layer", "two", "bound anew", "written", "longer"],
)
def test_packed_sequences_of_which_more_is_used_stay(body: str) -> None:
    text = PACKED.format(body=indent(dedent(body).strip(), " " * 8))
    assert "Run the layer over the padded input" not in proof.repair_found(text).titles


DISTRIBUTIONS = """\
import torch
import torch.distributions as D


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.ready = True

    def forward(self, x):
{body}


inputs = [(torch.ones(2, 2),)]
"""


@pytest.mark.parametrize(
    "body",
    [
        "p = D.Normal(x, x.exp()); return self.score(p)",
        "return D.Independent(D.Normal(x, x.exp(), validate_args=False), 1).log_prob(x)",
        "return D.StudentT(x.exp()).log_prob(x)",
        "p = D.Normal(x, x.exp()); return p.log_prob(x) if self.ready else x",
        "p = D.Normal(x, x.exp()); return p.log_prob(x * 2) + p.log_prob(x * 3)",
        "p = D.Normal(x, x.exp()); return [p.log_prob(row) for row in x]",
        "p = D.Normal(x, x.exp()); p.kept = 1; return p.log_prob(x)",
        "return (D.Normal(x, x.exp()) if self.ready else D.Normal(x, 1.0)).log_prob(x)",
    ],
)
def test_a_distribution_that_goes_elsewhere_is_not_said_to_be_checked(body: str) -> None:
    text = DISTRIBUTIONS.format(body=indent(body.replace("; ", "\n"), " " * 8))
    found = [fix.title for _, fixes in proof.offers(text) for fix in fixes]
    assert "Check the arguments with runtime assertions" not in found


GRADIENTS = """\
import torch


# exportdb: args=(torch.ones(3), torch.ones(40), torch.ones(2))
class Net(torch.nn.Module):
    def forward(self, x, long, y):
{body}


inputs = [(torch.ones(3), torch.ones(40), torch.ones(2))]
"""


@pytest.mark.parametrize(
    "body",
    [
        "return torch.func.grad(lambda v: v.square().sum())(long)",
        "return torch.func.grad(lambda v, w: (v * w).sum(), argnums=1)(x, x)",
        "return torch.func.grad(lambda v, w: (v * w).sum())(x, x)",
        "return torch.func.jacrev(torch.sin, chunk_size=1)(x)",
        "f = torch.func.grad(lambda v: v.square().sum()); return f(x) + f(x * 2)",
        "return torch.func.grad(lambda v: v.square().sum())(x * 2)",
        "return torch.vmap(torch.func.grad(lambda v: v.square().sum()))(x[:, None])",
    ],
)
def test_a_derivative_that_takes_more_than_a_few_passes_stays(body: str) -> None:
    text = GRADIENTS.format(body=indent(body.replace("; ", "\n"), " " * 8))
    assert proof.repair_found(text).titles == []


MASKED = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)
        self.rnn = nn.GRU(2, 3)
        self.both = nn.GRU(2, 3, bidirectional=True)
        self.batched = nn.LSTM(2, 3, batch_first=True)

    def forward(self, x, keep, three):
{body}


model = Net()
example_args = (torch.ones(4, 2), torch.ones(4) > 0, torch.ones(4, 3, 2))
inputs = [example_args]
"""


@pytest.mark.parametrize(
    "body",
    [
        "rows = x[keep]; rows.zero_(); return self.norm(rows)",
        "rows = x[keep]; x = x * 2; return self.norm(rows) + x.sum()",
        "return self.norm(three[three[:, :, 0] > 0])",
        "return self.rnn(x[keep])[1]",
        "return self.both(x[keep])[0]",
        "return self.batched(three[keep])[0]",
        "return self.rnn(x[keep])[0] if len(x) > 2 else x",
    ],
)
def test_a_layer_over_picked_rows_that_needs_them_stays(body: str) -> None:
    text = MASKED.format(body=indent(body.replace("; ", "\n"), " " * 8))
    ours = {"Apply the mask after the normalization", "Run the layer over all rows, selected ones first"}
    assert not ours & {*proof.repair_found(text).titles}


EFFECTS = """\
import gc
import json
import random

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
{body}


inputs = [(torch.ones(2, 2),)]
"""


@pytest.mark.parametrize(
    "body",
    [
        "count = gc.collect(); return x * count",
        "random.seed(0); return x",
        "torch.cuda.manual_seed(0); return x",
        "json.dumps(x.add_(1).shape); return x",
        "return self.layer.requires_grad_(False)(x)",
    ],
)
def test_a_line_that_does_more_is_not_left_out(body: str) -> None:
    text = EFFECTS.format(body=indent(body.replace("; ", "\n"), " " * 8))
    assert "Run in eager only (skip under export)" not in proof.repair(text).titles
