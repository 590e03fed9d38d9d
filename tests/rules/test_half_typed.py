"""While code is typed it does not parse: what stands outside the broken statement is still found, where it stood."""

from __future__ import annotations

import pytest
from checking import Checker

BEFORE = """\
import torch


class First(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        if x.sum() > 0:
            return x
        return -x


"""
AFTER = """

class Last(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x.data
"""
BROKEN = [
    "def helper(x",
    "def helper(x):\n    return (x +",
    "class Half(torch.nn.Module):\n    def forward(self, x):\n        if x.",
    "class Half(torch.nn.Module):\n    def forward(self, x):\n        y = [1, 2",
    "x = 'never closed",
    "x = {'a': ",
    "for",
    "@",
    "lambda x: :",
    "if True\n    pass",
    "  unexpected = 1",
    "return return",
    "é = = 1",
]


@pytest.mark.parametrize("broken", BROKEN)
def test_what_stands_before_is_found_where_it_stood(check_text: Checker, broken: str) -> None:
    whole = check_text(BEFORE)
    report = check_text(BEFORE + broken)
    assert [(f.code, f.span) for f in report.findings] == [(f.code, f.span) for f in whole.findings]
    assert [f.code for f in whole.findings] == ["EDB101"]
    assert len(report.problems) == 1
    assert "syntax error" in report.problems[0].message
    assert report.problems[0].position.row >= BEFORE.count("\n")


@pytest.mark.parametrize("broken", ["def helper(x", "for", "lambda x: :", "if True\n    pass", "return return"])
def test_what_stands_behind_is_found_too(check_text: Checker, broken: str) -> None:
    report = check_text(BEFORE + broken + "\n" + AFTER)
    rows = {f.code: f.span.start.row for f in report.findings}
    text = (BEFORE + broken + "\n" + AFTER).splitlines()
    assert "EDB101" in rows
    assert text[rows["EDB201"] - 1].strip() == "return x.data"


@pytest.mark.parametrize("end", range(0, len(BEFORE + AFTER), 7))
def test_no_place_to_stop_typing_breaks_it(check_text: Checker, end: int) -> None:
    report = check_text((BEFORE + AFTER)[:end])
    assert not [problem for problem in report.problems if "internal" in problem.message]
    assert {f.code for f in report.findings} <= {"EDB101", "EDB201"}


def test_an_empty_text(check_text: Checker) -> None:
    report = check_text("")
    assert (report.findings, report.problems, report.entries) == ((), (), ())
