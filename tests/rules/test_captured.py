"""The functions of higher-order operators: Dynamo captures them in both modes, as strict export captures the whole model."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checking import Checker
from exportdb_rules.finding import Mode, Verdict

from ..programs import fill, load, model_exports

pytest.importorskip("torch")

PROGRAM = """\
import time

import torch
from torch import nn
from torch._higher_order_ops.map import map as mapped
from torch._higher_order_ops.while_loop import while_loop


def helper(x):
    {body}


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def half(self, x):
        return helper(x) / 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def forward(self, x):
        return {called}


model = Net()
example_args = (torch.tensor([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]]),)
"""
CALLS = {
    "cond": "torch.cond(x.sum() > 0, helper, lambda x: x * 3, (x,))",
    "a lambda": "torch.cond(x.sum() > 0, lambda x: helper(x) + 1, lambda x: x * 3, (x,))",
    "a method of a part": "torch.cond(x.sum() > 0, self.part.half, lambda x: x * 3, (x,))",
    "while_loop": "while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, helper(x)), (torch.tensor(0), x))[1]",
    "map": "mapped(helper, x)",
}
# What strict export alone refuses, and what non-strict export alone does.
REFUSED = (
    "now = time.time(); return x * 2",
    "text = str(x); return x * 2",
    "return x * nn.Parameter(torch.ones(3))",
    "torch.manual_seed(0); return x * torch.rand(3)",
)
CAPTURED = (
    "return x * len(x[x > 0])",
    "return x * float(x.sum())",
    "return x * int(x.sum())",
    "return x + torch.from_numpy(x.detach().numpy())",
    "assert x.sum() > -100; return x * 2",
    "y = x.clone().requires_grad_(); return y * 2",
)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("body", [*REFUSED, *CAPTURED])
def test_both_modes_do_what_strict_export_does(
    body: str, call: str, check_text: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(PROGRAM, body=body, called=CALLS[call])
    found = check_text(text).findings
    assert bool(found) is (body in REFUSED)
    assert all(finding.verdict == dict.fromkeys(Mode, Verdict.FAILS) for finding in found)
    made = load(text, tmp_path, "captured")
    monkeypatch.setitem(sys.modules, made.__name__, made)  # Dynamo imports it to look up what its functions read
    made.model.eval()
    for strict in (False, True):
        assert _exports(made, strict=strict) is (body in CAPTURED)


@pytest.mark.parametrize("body", [*REFUSED, *CAPTURED])
def test_outside_of_them_the_modes_differ(body: str, check_text: Checker) -> None:
    text = fill(PROGRAM, body=body, called="helper(x)")
    verdicts = [finding.verdict for finding in check_text(text).findings]
    assert verdicts
    assert all(len({*verdict.values()}) == 2 for verdict in verdicts)


def test_a_function_that_is_called_outside_as_well(check_text: Checker) -> None:
    text = fill(PROGRAM, body=REFUSED[0], called=CALLS["cond"] + " + helper(x)")
    (found,) = check_text(text).findings
    assert found.verdict == dict.fromkeys(Mode, Verdict.FAILS)


def _exports(made: object, *, strict: bool) -> bool:
    """Whether the model exports; one whose branches Dynamo refuses does not run in eager either."""
    try:
        return model_exports(made.model, made.example_args, strict=strict)  # type: ignore[attr-defined]
    except Exception:
        return False
