"""`max` and `min` of what data decides, beside what export does with them in both modes.

Non-strict export has a stand-in for the builtins, which takes two arguments or one list; strict export takes any number.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from checking import Checker
from exportdb_rules.finding import Mode, Verdict

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor, t: torch.Tensor):
        a, b = t.tolist()
        n = x[x > 0].shape[0]
        return x + {number}
"""
ROWS = [
    ("max(a, b)", ""),
    ("max([a, b, n, 1])", ""),
    ("max(t.tolist())", ""),
    ("max(a, b, n)", "non-strict"),
    ("min(*(a, b), 3)", "non-strict"),
    ("max(x.sum(), 3)", ""),
    ("max(x.sum(), x.mean())", ""),
    ("min([x.sum(), x.mean(), 3])", ""),
    ("min(x.sum(), x.mean(), 3)", "non-strict"),
    ("max(3, 4, x.sum())", "non-strict"),
    ("max(a, x.sum())", "non-strict, strict"),
    ("min(x.mean(), n)", "non-strict, strict"),
    ("max(x.mean(), a, 1)", "non-strict, strict"),
    ("max([x.sum(), x.mean()], default=1.0)", "non-strict, strict"),
    ("max((a, b), default=1)", "non-strict, strict"),
    ("max(3, 4, x.dim())", ""),
]


@pytest.mark.parametrize(("number", "fails"), ROWS, ids=[number for number, _ in ROWS])
def test_what_the_builtin_compares(
    number: str, fails: str, check_text: Checker, refuses: Callable[[str, str, Mode], bool]
) -> None:
    text = NET.format(number=number)
    findings = check_text(text).findings
    for mode in Mode:
        expected = mode.value in fails.split(", ")
        assert any(one.verdict.get(mode) == Verdict.FAILS for one in findings) is expected
        assert refuses(text, "(torch.ones(2, 3), torch.tensor([1, 2]))", mode) is expected
