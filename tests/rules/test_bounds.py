"""Programs that would keep the analyser busy without end, or make it stumble: they are checked like any other."""

from __future__ import annotations

import pytest
from checking import Checker

HEAD = "import math\nimport torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n"
# Each is followed by a line that must still be found.
BODIES = {
    "a range longer than an address": "for _ in range(10**30):\n    x = x + 1",
    "a factorial": "x = x * math.factorial(10**9)",
    "powers of powers": "\n".join(["n = 9**63", *["n = n**63"] * 5, "x = x * n"]),
    "a text repeated": "rule = 10**11 * '-'\nline = b'-' * 10**11",
    "a text padded": "line = b'%100000000000d' % 5",
    "a list doubled": "\n".join(["rows = [x, x]", *["rows = rows + rows"] * 64]),
    "a list multiplied": "\n".join(["rows = [x] * 16", *["rows = rows * 16"] * 16]),
    "a list that is its own end": "rows = [x]\nrows.extend(rows)\nrows += rows",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_what_has_no_bound_is_left_unknown(check_text: Checker, body: str) -> None:
    lines = [*body.splitlines(), "if x.sum() > 0:", "    return x", "return -x"]
    report = check_text(HEAD + "".join(f"        {line}\n" for line in lines))
    assert not report.problems
    assert [finding.code for finding in report.findings] == ["EDB101"]


@pytest.mark.parametrize("call", ["flatten()", "flatten(0, -1)", "permute(())", "unsqueeze(0)", "sum(0)", "t()"])
def test_a_tensor_without_dimensions_is_moved(check_text: Checker, call: str) -> None:
    text = HEAD.replace("x: torch.Tensor", "x, y") + f"        return x, y.{call}\n\n\n"
    text += "model = Net()\nexample_args = (torch.randn(4, 2), torch.tensor(1.0))\n"
    text += "dynamic_shapes = {'x': {0: torch.export.Dim('n')}, 'y': None}\n"
    report = check_text(text)
    assert (report.problems, report.findings) == ((), ())
