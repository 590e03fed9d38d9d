"""Programs that would keep the analyser busy without end, or make it stumble: they are checked like any other."""

from __future__ import annotations

import pytest
from checking import Checker

from ..programs import fill

PROGRAM = """\
import math
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        {body}
        if x.sum() > 0:
            return x
        return -x
"""
# Each is followed by a line that must still be found.
BODIES = {
    "a range longer than an address": """
        for _ in range(10**30):
            x = x + 1
    """,
    "a factorial": "x = x * math.factorial(10**9)",
    "powers of powers": "\n".join(["n = 9**63", *["n = n**63"] * 5, "x = x * n"]),
    "a text repeated": """
        rule = 10**11 * '-'
        line = b'-' * 10**11
    """,
    "a text padded": "line = b'%100000000000d' % 5",
    "a list doubled": "\n".join(["rows = [x, x]", *["rows = rows + rows"] * 64]),
    "a list multiplied": "\n".join(["rows = [x] * 16", *["rows = rows * 16"] * 16]),
    "a list that is its own end": """
        rows = [x]
        rows.extend(rows)
        rows += rows
    """,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_what_has_no_bound_is_left_unknown(check_text: Checker, body: str) -> None:
    report = check_text(fill(PROGRAM, body=body))
    assert not report.problems
    assert [finding.code for finding in report.findings] == ["EDB101"]


DECLARED = """\
import math
import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x, y.{call}


model = Net()
example_args = (torch.randn(4, 2), torch.tensor(1.0))
dynamic_shapes = {{'x': {{0: torch.export.Dim('n')}}, 'y': None}}
"""


@pytest.mark.parametrize("call", ["flatten()", "flatten(0, -1)", "permute(())", "unsqueeze(0)", "sum(0)", "t()"])
def test_a_tensor_without_dimensions_is_moved(check_text: Checker, call: str) -> None:
    report = check_text(fill(DECLARED, call=call))
    assert (report.problems, report.findings) == ((), ())
