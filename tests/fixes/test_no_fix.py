"""The reason that users are told where a finding has no fix."""

from __future__ import annotations

import re
from pathlib import Path

import exportdb_rules
import pytest
from exportdb_cases.collection import find
from exportdb_rules import engine
from exportdb_rules.finding import Mode
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.refusal import FixNotApplicable, Refusal, reason_of, recorded

from ..programs import fill

RULES = Path(exportdb_rules.__file__).parent
FORWARD = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.kept = None

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        {body}
"""
TOLD = {
    NoFix.BRANCHES_DIFFER: """
        if x.sum() > 0:
            return x.sum(0)
        return x
    """,
    NoFix.NOT_A_TENSOR: """
        if x.sum() > 0:
            return "positive"
        return "negative"
    """,
    NoFix.SIDE_EFFECT: """
        if x.sum() > 0:
            x = x * 2
            print("scaled", x)
        return x
    """,
    NoFix.ARRAY_ESCAPES: """
        return x.numpy()
    """,
    NoFix.LOOP_CARRIED: """
        while x.sum() > 0:
            x = x - 1
            last = x
        return last
    """,
    NoFix.CHECK_FORM: """
        torch._check(x.sum() > 0, describe)
        return x
    """,
    NoFix.LOOP_SHAPE: """
        total = y
        for value in torch.unique(x):
            total = total + value
        return total
    """,
}


def reasons(text: str) -> list[NoFix | None]:
    project = engine.Project()
    project.set_text("/net.py", text)
    settings = engine.Settings(modes=(Mode.NON_STRICT,))
    report = engine.check(project, "/net.py", settings)
    assert report.findings
    return [engine.offer(project, finding, settings).no_fix for finding in report.findings]


@pytest.mark.parametrize(("reason", "body"), TOLD.items(), ids=[reason.value for reason in TOLD])
def test_the_reason_is_what_stands_in_the_way(reason: NoFix, body: str) -> None:
    assert {*reasons(fill(FORWARD, body=body))} == {reason}


@pytest.mark.parametrize(
    ("reason", "kept", "used"),
    [
        (NoFix.MODULE_KEYS, "{0: nn.Linear(2, 2)}", "self.held[0](x)"),
        (NoFix.MODULE_KEYS, '{"a.b": nn.Linear(2, 2)}', 'self.held["a.b"](x)'),
        (NoFix.MODULE_KEYS, '{"items": nn.Linear(2, 2)}', 'self.held["items"](x)'),
        (NoFix.ELEMENTS_DIFFER, "[nn.Linear(2, 2), torch.relu]", "self.held[1](self.held[0](x))"),
        (NoFix.CONTAINER_USE, "[nn.Linear(2, 2)]", "([torch.relu] + self.held)[1](x)"),
        (NoFix.CONTAINER_USE, "[nn.Linear(2, 2)]", "self.held.copy()[0](x)"),
        (NoFix.CONTAINER_USE, "TWO", "self.held[0](x)"),
        (NoFix.NEEDS_AUTHOR, "[teacher]", "self.held[0](x)"),
        (NoFix.NOT_IN_A_CONTAINER, "None", "SHARED(x)"),
    ],
)
def test_a_container_of_modules_that_none_of_torch_can_stand_for(reason: NoFix, kept: str, used: str) -> None:
    text = f"""\
import torch
from torch import nn

SHARED = nn.Linear(2, 2)
TWO = [SHARED]

class Net(nn.Module):
    def __init__(self, teacher: nn.Linear):
        super().__init__()
        self.held = {kept}

    def forward(self, x):
        return {used}

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net(nn.Linear(2, 2))

    def forward(self, x):
        return self.net(x)
"""
    project = engine.Project()
    project.set_text("/net.py", text)
    settings = engine.Settings(modes=(Mode.STRICT,))
    found = engine.check(project, "/net.py", settings).findings
    assert {engine.offer(project, finding, settings).no_fix for finding in found} == {reason}


def test_a_rule_without_fixes_says_why() -> None:
    text = fill(FORWARD, body="return x * random.random()")
    assert reasons(f"import random\n{text}") == [NoFix.OTHER_RANDOM_NUMBERS]


def test_a_finding_with_a_fix_has_no_reason() -> None:
    assert reasons(fill(FORWARD, body="return x if x.sum() > 0 else -x")) == [None]


@pytest.mark.parametrize(
    ("inputs", "body"),
    [
        ("args=(torch.randn(3), torch.randn(4))", "return x if x.sum() > 0 else y"),
        ("args=(torch.randn(3), torch.randn(3, dtype=torch.float64))", "return x if x.sum() > 0 else y"),
        ("", "return x if x.sum() > 0 else x[:2]"),
        ("", "return x if x.sum() > 0 else y.sum(0)"),
        ("", "return x if x.sum() > 0 else y.long()"),
    ],
)
def test_shapes_that_differ_are_not_taken_for_one(inputs: str, body: str) -> None:
    text = fill(FORWARD, body=body).replace("class Net", f"# exportdb: {inputs}\nclass Net" if inputs else "class Net")
    assert reasons(text) == [NoFix.BRANCHES_DIFFER]


def test_of_many_reasons_the_last_is_told_that_is_about_this_code() -> None:
    form, branch, loop = NoFix.UNKNOWN_FORM, NoFix.BRANCHES_DIFFER, NoFix.LOOP_CARRIED
    assert reason_of([]) is form
    assert reason_of([Refusal(form, "a"), Refusal(branch, "b"), Refusal(form, "c")]) is branch
    assert reason_of([Refusal(branch, "b"), Refusal(loop, "a")]) is loop


def test_refusals_within_a_block_inside_are_recorded_outside_too() -> None:
    with recorded() as outer:
        FixNotApplicable(NoFix.SHARED_LINE, "before")
        with recorded() as inner:
            FixNotApplicable(NoFix.NAME_CLASH, "within")
    assert inner == [(NoFix.NAME_CLASH, "within")]
    assert outer == [(NoFix.SHARED_LINE, "before"), *inner]


def test_every_reason_is_given_somewhere() -> None:
    texts = [path.read_text("utf-8") for path in RULES.rglob("*.py") if path.name != "no_fix.py"]
    given = {name for text in texts for name in re.findall(r"\bNoFix\.([A-Z_]+)", text)}
    assert given == set(NoFix.__members__)


@pytest.mark.parametrize("name", ["closure_counter", "cond_batchnorm"])
def test_state_outside_a_module_and_statistics_that_a_branch_updates_have_no_fix(name: str) -> None:
    case = find(name)
    assert case is not None
    project = engine.Project()
    report = engine.check(project, str(case.path), engine.Settings(modes=(Mode.NON_STRICT, Mode.STRICT)))
    offers = [engine.offer(project, finding) for finding in report.findings]
    assert [(offer.fixes, offer.no_fix) for offer in offers] == [((), NoFix.SIDE_EFFECT)] * len(offers) != []
