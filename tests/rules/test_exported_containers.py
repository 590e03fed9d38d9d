"""A `nn.Sequential` that a file exports: what is in it meets the inputs and the options that it has there."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import Checker
from exportdb_rules.finding import Mode, Verdict

from ..programs import fill, load, model_exports

pytest.importorskip("torch")

PROGRAM = """\
import torch
from torch import nn
from torch.export import Dim, export


class Call(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class Pick(nn.Module):
    def forward(self, x):
        return x[x > 0]


class Halves(nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] > 2 else x


def flip(x):
    return x if x.sum() > 0 else -x


def made(function, count):
    layers = []
    for _ in range(count):
        layers += [nn.Linear(3, 3), Call(function)]
    return nn.Sequential(*layers)


{exported}
"""
FAILS = (
    "model = nn.Sequential(Call(flip), Call(torch.relu)); example_args = (torch.randn(2, 3),)",
    "model = nn.Sequential(nn.Linear(3, 3), nn.Sequential(Call(flip), Call(torch.relu))).eval(); example_args = (torch.randn(2, 3),)",
    "model = made(flip, 2); example_args = (torch.randn(2, 3),)",
    "model = nn.Sequential(nn.Linear(3, 3), Pick(), Halves()); example_args = (torch.randn(2, 3),)",
)
EXPORTS = (
    "model = nn.Sequential(Call(torch.sigmoid), Call(torch.relu)); example_args = (torch.randn(2, 3),)",
    "model = made(torch.relu, 2); example_args = (torch.randn(2, 3),)",
    "model = nn.Sequential(nn.Linear(3, 3), Halves()); example_args = (torch.randn(2, 3),)",
    "model = nn.Sequential(nn.Linear(3, 3), nn.ReLU()); example_args = (torch.randn(2, 3),)",
)


@pytest.mark.parametrize("exported", [*FAILS, *EXPORTS])
def test_what_is_in_it_is_followed(exported: str, check_text: Checker, tmp_path: Path) -> None:
    text = fill(PROGRAM, exported=exported)
    found = check_text(text).findings
    assert bool(found) is (exported in FAILS)
    assert all(finding.verdict[Mode.NON_STRICT] is Verdict.FAILS for finding in found)
    made = load(text, tmp_path, "containers")
    assert model_exports(made.model.eval(), made.example_args, strict=False) is (exported in EXPORTS)


@pytest.mark.parametrize(
    "exported",
    [
        "export(nn.Sequential(Pick(), Halves()), (torch.randn(2, 3),))",
        "model = nn.Sequential(Pick(), Halves()); export(model, (torch.randn(2, 3),), strict=False)",
        "def save():\n    head = nn.Sequential(Pick(), Halves())\n    return export(head.eval(), (torch.randn(2, 3),))",
    ],
)
def test_a_call_of_an_export_function(exported: str, check_text: Checker) -> None:
    (found,) = check_text(fill(PROGRAM, exported=exported)).findings
    assert found.code == "EDB103"


def test_its_dimensions_are_dynamic_as_declared(check_text: Checker) -> None:
    exported = (
        "model = nn.Sequential(nn.Linear(3, 3), Halves()); example_args = (torch.randn(2, 3),); "
        'dynamic_shapes = {"input": {0: Dim("n", min=2)}}'
    )
    (found,) = check_text(fill(PROGRAM, exported=exported)).findings
    assert found.code == "EDB302"
