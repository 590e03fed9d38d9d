"""Each rule on small programs: what it finds, to the column, and what it leaves alone."""

from __future__ import annotations

import pytest
from checking import Checker
from exportdb_cases.collection import all_cases
from exportdb_rules.finding import Verdict
from exportdb_rules.rule import find, registry
from pairs import BAD, CALLS, DYNAMIC_BAD, DYNAMIC_GOOD, GOOD, NET

from ..programs import block, fill

HEAD = """
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, n: torch.Tensor):
        {body}
"""
Span = tuple[tuple[int, int], tuple[int, int]]


def whole(code: str, program: str) -> str:
    text = block(program)
    if code in CALLS:
        return f"{block(NET)}\n{text}"
    # An import inside forward is followed by statements of it, not by a class or a function of the file.
    if text.startswith(("«from", "try:")) or "\n\n" in text:
        return text
    return block(fill(HEAD, body=text))


def unmarked(text: str) -> tuple[str, Span | None]:
    """The text without its marks, and the rows and columns between them."""
    if "«" not in text:
        return text, None
    before, rest = text.split("«")
    inside, after = rest.split("»")

    def position(part: str) -> tuple[int, int]:
        return part.count("\n") + 1, len(part) - part.rfind("\n")

    return before + inside + after, (position(before), position(before + inside))


def cases(table: dict[str, tuple[str, ...]], dynamic: str) -> list[object]:
    return [
        pytest.param(code, program, dynamic, id=f"{code}-{i}")
        for code, programs in table.items()
        for i, program in enumerate(programs)
    ]


def spans(check_text: Checker, code: str, text: str, dynamic: str) -> list[Span]:
    rule = find(code)
    assert rule is not None
    report = check_text(text, dynamic, to=(rule.goal,) if rule.goal else ())
    assert not report.problems
    return [
        ((f.span.start.row, f.span.start.column), (f.span.end.row, f.span.end.column))
        for f in report.findings
        if f.code == code and any(v is not Verdict.OK for v in f.verdict.values())
    ]


@pytest.mark.parametrize(("code", "program", "dynamic"), [*cases(BAD, "none"), *cases(DYNAMIC_BAD, "all")])
def test_the_rule_finds_this_and_here(check_text: Checker, code: str, program: str, dynamic: str) -> None:
    text, span = unmarked(whole(code, program))
    assert spans(check_text, code, text, dynamic) == [span]


@pytest.mark.parametrize(("code", "program", "dynamic"), [*cases(GOOD, "none"), *cases(DYNAMIC_GOOD, "all")])
def test_the_rule_leaves_this_alone(check_text: Checker, code: str, program: str, dynamic: str) -> None:
    assert spans(check_text, code, whole(code, program), dynamic) == []


def test_every_rule_has_its_pairs() -> None:
    """In the tables, or as a case that its verdict rests on and the twin of that; test_measured checks these."""
    tabled = {*BAD, *DYNAMIC_BAD}
    for rule in registry():
        assert rule.code in tabled or any(case.twin for case in all_cases() if case.name in rule.cases), rule.code
    assert tabled <= {*GOOD, *DYNAMIC_GOOD} <= {rule.code for rule in registry()}
