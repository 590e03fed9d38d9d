"""Operators that look at their numbers, and packed sequences, where what a fix would write is not the same."""

from __future__ import annotations

import proof
import pytest

from ..programs import fill

FORMULAS = """\
import torch
import torch.nn.functional as F


# exportdb: args=(torch.ones(4, 3), torch.ones(4, 3))
class Net(torch.nn.Module):
    def forward(self, x, y):
        {body}


inputs = [(torch.ones(4, 3), torch.ones(4, 3))]
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("a = torch.linalg.lstsq(x, y); return a.residuals", "more than the solution is used"),
        ("return torch.linalg.lstsq(x, y, rcond=0.1).solution", "unsupported arguments"),
        (
            "return torch.linalg.lstsq(x.view(2, 2, 3), y.view(-1)[:4].view(2, 2)).solution",
            "whether these are vectors or matrices is not known",
        ),
        ("return F.ctc_loss(x[:, None], y[:1].long(), torch.tensor([4]), torch.tensor([1]))", ""),
    ],
)
def test_an_operator_with_no_formula_stays(body: str, reason: str) -> None:
    text = fill(FORMULAS, body=body)
    assert proof.repair_refused(text, reason).titles == []


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
    ("body", "reason"),
    [
        # Several layers in both directions.
        (
            """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        return pad_packed_sequence(self.deep(packed)[0], batch_first=True)[0]
        """,
            "several layers in both directions",
        ),
        # The packed numbers themselves are used.
        (
            """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        out, _ = self.lstm(packed)
        return out.data
        """,
            "the packed result is used otherwise",
        ),
        (
            """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        return self.cell(packed.data)
        """,
            "it is not a layer that takes the packed sequence",
        ),
        # Two layers take it.
        (
            """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        out, _ = self.lstm(packed)
        again, _ = self.layers(packed)
        return pad_packed_sequence(out, batch_first=True)[0] + pad_packed_sequence(again, batch_first=True)[0]
        """,
            "it is used several times",
        ),
        # What was packed changes before the layer runs.
        (
            """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        x = x * 2
        out, _ = self.lstm(packed)
        return pad_packed_sequence(out, batch_first=True)[0] + x.sum()
        """,
            "something changes before the layer runs",
        ),
        (
            """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        x.zero_()
        out, _ = self.lstm(packed)
        return pad_packed_sequence(out, batch_first=True)[0]
        """,
            "something changes before the layer runs",
        ),
        # Padded to another length.
        (
            """
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        out, _ = self.lstm(packed)
        return pad_packed_sequence(out, batch_first=True, total_length=6)[0]
        """,
            "another number of steps",
        ),
    ],
    ids=["deep", "numbers", "no layer", "two", "bound anew", "written", "longer"],
)
def test_packed_sequences_of_which_more_is_used_stay(body: str, reason: str) -> None:
    text = fill(PACKED, body=body)
    assert "Run the layer over the padded input" not in proof.repair_refused(text, reason).titles


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
    ("body", "reason"),
    [
        ("p = D.Normal(x, x.exp()); return self.score(p)", "the distribution goes elsewhere"),
        ("return D.Independent(D.Normal(x, x.exp(), validate_args=False), 1).log_prob(x)", ""),
        ("return D.StudentT(x.exp()).log_prob(x)", "not known, or not always made"),
        ("p = D.Normal(x, x.exp()); return p.log_prob(x) if self.ready else x", "it is only called conditionally"),
        ("p = D.Normal(x, x.exp()); return p.log_prob(x * 2) + p.log_prob(x * 3)", "several values in one line"),
        ("p = D.Normal(x, x.exp()); return [p.log_prob(row) for row in x]", "a function uses it"),
        ("p = D.Normal(x, x.exp()); p.kept = 1; return p.log_prob(x)", "the distribution goes elsewhere"),
        (
            "return (D.Normal(x, x.exp()) if self.ready else D.Normal(x, 1.0)).log_prob(x)",
            "not known, or not always made",
        ),
    ],
)
def test_a_distribution_that_goes_elsewhere_is_not_said_to_be_checked(body: str, reason: str) -> None:
    text = fill(DISTRIBUTIONS, body=body)
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
    ("body", "reason"),
    [
        ("return torch.func.grad(lambda v: v.square().sum())(long)", "too many elements, or not known how many"),
        ("return torch.func.grad(lambda v, w: (v * w).sum(), argnums=1)(x, x)", "unsupported arguments"),
        ("return torch.func.grad(lambda v, w: (v * w).sum())(x, x)", "unsupported arguments"),
        ("return torch.func.jacrev(torch.sin, chunk_size=1)(x)", "unsupported arguments"),
        ("f = torch.func.grad(lambda v: v.square().sum()); return f(x) + f(x * 2)", "it is not called at once"),
        ("return torch.func.grad(lambda v: v.square().sum())(x * 2)", "not a floating tensor by name"),
        ("return torch.vmap(torch.func.grad(lambda v: v.square().sum()))(x[:, None])", "unsupported arguments"),
    ],
)
def test_a_derivative_that_takes_more_than_a_few_passes_stays(body: str, reason: str) -> None:
    text = fill(GRADIENTS, body=body)
    assert proof.repair_refused(text, reason).titles == []


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
    ("body", "reason"),
    [
        ("count = gc.collect(); return x * count", "the line is more than the call"),
        ("random.seed(0); return x", "the model would behave differently"),
        ("torch.cuda.manual_seed(0); return x", "the model would behave differently"),
        ("json.dumps(x.add_(1).shape); return x", "the model would behave differently"),
        ("return self.layer.requires_grad_(False)(x)", "the line is more than the call"),
    ],
)
def test_a_line_that_does_more_is_not_left_out(body: str, reason: str) -> None:
    text = fill(EFFECTS, body=body)
    assert "Run in eager only (skip under export)" not in proof.repair_refused(text, reason).titles
