"""Operators that look at their numbers where what a fix would write is not the same."""

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
