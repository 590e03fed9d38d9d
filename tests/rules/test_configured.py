"""What the code does to a model between making and exporting it: `model.set_mode("fast")`, `model.head.mode = "fast"`."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import Checker

from ..programs import fill, load, model_exports

pytest.importorskip("torch")

PROGRAM = """\
import torch
from torch import nn


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = None

    def forward(self, x):
        if self.mode == "checked":
            assert not (x > 100).any()
        return x * 2


class Net(nn.Module):
    fast = False

    def __init__(self):
        super().__init__()
        self.part = Part()
        self.parts = nn.ModuleList([Part()])
        self.bound = None
        self.ready = False

    def set_mode(self, mode):
        self.part.mode = mode

    def set_bound(self, bound):
        self.bound = bound

    def made_ready(self, ready=True):
        self.ready = ready
        return self

    def forward(self, x):
        if self.bound is not None and self.bound.sum() > 0:
            x = x + self.bound
        if self.ready or self.fast:
            x = x if x.sum() > 0 else -x
        return self.parts[0](self.part(x))


{made}
example_args = (torch.randn(3),)
"""
FAILS = {
    "a method": "model = Net(); model.set_mode('checked')",
    "a method that is given a tensor": "model = Net(); model.set_bound(torch.ones(3))",
    "an attribute of a part": "model = Net(); model.part.mode = 'checked'",
    "an attribute of one of several parts": "model = Net(); model.parts[0].mode = 'checked'",
    "an attribute": "model = Net(); model.ready = True",
    "a method that returns the model": "model = Net().made_ready()",
    "a method that returns the model, before others": "model = Net().made_ready(True).eval()",
    "an attribute of the class": "Net.fast = True; model = Net()",
    "by another name": "made = Net(); made.set_mode('checked'); model = made.eval()",
    "in a function": "def build():\n    net = Net()\n    net.set_mode('checked')\n    return net\nmodel = build()",
}
EXPORTS = {
    "nothing": "model = Net()",
    "another mode": "model = Net(); model.set_mode('plain')",
    "another model": "other = Net(); other.ready = True; model = Net()",
    "taken back": "model = Net(); model.ready = True; model.ready = False",
    "a method that returns the model": "model = Net().made_ready(False)",
    "an attribute of the class": "Net.fast = None; model = Net()",
    "methods of torch": "model = Net(); model.requires_grad_(False); model.eval(); model.load_state_dict(model.state_dict())",
}


def failing_rows(made: str, check_text: Checker) -> set[int]:
    """The lines of `Net` and of its part on which check finds something that is likely, or certain."""
    return {finding.span.start.row for finding in check_text(fill(PROGRAM, made=made)).findings}


@pytest.mark.parametrize("name", FAILS)
def test_what_the_model_is_told_counts(name: str, check_text: Checker, tmp_path: Path) -> None:
    model = load(fill(PROGRAM, made=FAILS[name]), tmp_path, "configured")
    assert not model_exports(model.model, model.example_args, strict=True)
    untold = failing_rows("model = Net()", check_text)
    assert failing_rows(FAILS[name], check_text) - untold


@pytest.mark.parametrize("name", EXPORTS)
def test_what_it_is_not_told_does_not(name: str, check_text: Checker, tmp_path: Path) -> None:
    model = load(fill(PROGRAM, made=EXPORTS[name]), tmp_path, "configured")
    assert model_exports(model.model, model.example_args, strict=True)
    assert failing_rows(EXPORTS[name], check_text) == failing_rows("model = Net()", check_text)


@pytest.mark.parametrize("around", ["", "if __name__ == '__main__':", "def export():"])
@pytest.mark.parametrize("name", ["a method", "an attribute", "an attribute of a part"])
def test_what_the_model_is_told_where_it_is_exported_elsewhere(name: str, around: str, check_text: Checker) -> None:
    call = "torch.export.export(model, inputs)"
    end = f"{around}\n    {call}\n" if around else f"{call}\n"
    rows: list[set[int]] = []
    for made in (FAILS[name], "model = Net()"):
        program = fill(PROGRAM, made=made).replace("example_args =", "inputs =") + end
        rows.append({finding.span.start.row for finding in check_text(program).findings})
    assert rows[0] - rows[1]
