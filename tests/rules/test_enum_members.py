"""Members of an Enum that are looked up by a number, beside what export does with them in both modes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from checking import Checker
from exportdb_rules.finding import Mode, Verdict

NET = """\
import enum
import torch


class Kind(enum.{base}):
    NONE = 0
    ALL = 1


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.chosen = 1
        self.register_buffer("kept", torch.tensor(1))

    def forward(self, x: torch.Tensor, n: torch.Tensor):
        if Kind({number}) is Kind.NONE:
            return x
        return x + 1
"""
ROWS = [
    ("Enum", "n.item()", True),
    ("IntEnum", "int(n)", True),
    ("Enum", "self.kept.item()", True),
    ("Enum", "self.chosen", False),
    ("Enum", "x.dim() - 1", False),
]


@pytest.mark.parametrize(("base", "number", "fails"), ROWS, ids=range(len(ROWS)))
def test_a_number_from_data_is_compared_with_all_values(
    base: str, number: str, fails: bool, check_text: Checker, refuses: Callable[[str, str, Mode], bool]
) -> None:
    text = NET.format(base=base, number=number)
    findings = check_text(text).findings
    assert any(one.code == "EDB103" for one in findings) is fails
    for mode in Mode:
        assert any(one.verdict.get(mode) == Verdict.FAILS for one in findings) is fails
        assert refuses(text, "(torch.randn(2, 3), torch.tensor(1))", mode) is fails
