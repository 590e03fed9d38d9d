"""While code is typed it does not parse: what stands outside the broken statement is still found, where it stood."""

from __future__ import annotations

import pytest
from checking import Checker

from ..programs import block

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
BROKEN = {
    "a head": "def helper(x",
    "a sum": block("""
        def helper(x):
            return (x +
    """),
    "an attribute": block("""
        class Half(torch.nn.Module):
            def forward(self, x):
                if x.
    """),
    "a list": block("""
        class Half(torch.nn.Module):
            def forward(self, x):
                y = [1, 2
    """),
    "a string": "x = 'never closed",
    "a dict": "x = {'a': ",
    "a loop": "for",
    "a decorator": "@",
    "a lambda": "lambda x: :",
    "a condition": block("""
        if True
            pass
    """),
    "an indentation": "  unexpected = 1",
    "a keyword twice": "return return",
    "a sign twice": "é = = 1",
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_what_stands_before_is_found_where_it_stood(check_text: Checker, broken: str) -> None:
    whole = check_text(BEFORE)
    report = check_text(BEFORE + broken.rstrip("\n"))
    assert [(f.code, f.span) for f in report.findings] == [(f.code, f.span) for f in whole.findings]
    assert [f.code for f in whole.findings] == ["EDB101"]
    assert len(report.problems) == 1
    assert "syntax error" in report.problems[0].message
    assert report.problems[0].position.row >= BEFORE.count("\n")


@pytest.mark.parametrize("name", ["a head", "a loop", "a lambda", "a condition", "a keyword twice"])
def test_what_stands_behind_is_found_too(check_text: Checker, name: str) -> None:
    text = f"{BEFORE}{BROKEN[name].rstrip()}\n{AFTER}"
    rows = {f.code: f.span.start.row for f in check_text(text).findings}
    assert "EDB101" in rows
    assert text.splitlines()[rows["EDB201"] - 1].strip() == "return x.data"


@pytest.mark.parametrize("end", range(0, len(BEFORE + AFTER), 7))
def test_no_place_to_stop_typing_breaks_it(check_text: Checker, end: int) -> None:
    report = check_text((BEFORE + AFTER)[:end])
    assert not [problem for problem in report.problems if "internal" in problem.message]
    assert {f.code for f in report.findings} <= {"EDB101", "EDB201"}


def test_an_empty_text(check_text: Checker) -> None:
    report = check_text("")
    assert (report.findings, report.problems, report.entries) == ((), (), ())
