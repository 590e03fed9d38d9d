"""Arrays of NumPy's that forward makes of numbers and sizes: strict export traces them as tensors, whose numbers it does not know."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checking import Checker
from exportdb_rules.finding import Mode, Verdict

from ..programs import fill, load, model_exports

pytest.importorskip("torch")

PROGRAM = """\
import numpy as np
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        steps, sizes = np.array([1, 2]), np.array(x.shape)
        {body}


model = Net()
example_args = (torch.randn(3, 4),)
"""
REFUSED = (
    "return x if steps[0] < 1 else x * 2",
    "return x if sizes[0] - 1 < 1 else x * 2",
    "return x if (sizes > 2).any() else -x",
    "return x if sizes.sum() > 2 else -x",
    "return x[steps[0]]",
    "return x * [1.0, 2.0, 3.0][steps[0]]",
    "return x * len(range(steps[0]))",
)
TRACED = (
    "return x[: steps[0]]",
    "return x * steps[0] + float(steps.sum())",
    "return x[int(steps[0])]",
    "return x.view(sizes[1], sizes[0])",
    "return x + torch.zeros(sizes[0], sizes[1])",
    "return x * torch.tensor(steps[0])",
    "return x * min(steps[0], 3)",
    "return torch.nn.functional.pad(x, (0, int(steps.sum())))",
    "return x * sum(steps)",
    "assert (sizes > 0).all()\nreturn x",
)


@pytest.mark.parametrize("body", [*REFUSED, *TRACED])
def test_what_strict_export_asks_of_them(
    body: str, check_text: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(PROGRAM, body=body)
    found = check_text(text).findings
    assert {finding.code for finding in found} <= {"EDB204"}
    assert all(finding.verdict == {Mode.NON_STRICT: Verdict.OK, Mode.STRICT: Verdict.FAILS} for finding in found)
    assert bool(found) is (body in REFUSED)
    made = load(text, tmp_path, "numpy_in_forward")
    monkeypatch.setitem(sys.modules, made.__name__, made)  # Dynamo imports it to look up `np`
    assert model_exports(made.model, made.example_args, strict=False)
    assert model_exports(made.model, made.example_args, strict=True) is (body in TRACED)
