"""A fix after which export fails where it did not is no fix for the one who applies it alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from exportdb_lsp.checking import fix_loop
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.no_fix import NoFix

HEAD = """\
import torch
from torch import nn


class Net(nn.Module):
"""
COUNTER = """\
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        if self.calls > 3:
            x = x * 2
        return x + 1
"""
PLAIN = COUNTER.replace("        if self.calls > 3:\n            x = x * 2\n", "").replace("x + 1", "x + self.calls")
ABOVE = """\
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.late = False

    def helper(self, x):
        return x * 2 if self.calls > 3 else x

    def forward(self, x):
        x = self.helper(x)
        self.calls += 1
        return x
"""
SETTINGS = engine.Settings()


def offers(body: str, settings: engine.Settings = SETTINGS) -> list[engine.FixOffer]:
    """What is offered for the state that is lost."""
    project = engine.Project()
    project.set_text("net.py", HEAD + body)
    found = [f for f in engine.check(project, "net.py", settings).findings if f.fixable]
    lost = [f for f in found if f.verdict[Mode.NON_STRICT] is Verdict.DIVERGES]
    assert lost
    return [engine.offer(project, finding, settings) for finding in lost]


@pytest.mark.parametrize("body", [COUNTER, ABOVE])
def test_a_buffer_that_python_branches_on_is_not_offered_alone(body: str) -> None:
    for offer in offers(body):
        assert not offer.fixes
        assert offer.no_fix is NoFix.EXPORT_WOULD_FAIL


def test_rules_that_are_not_asked_for_count_too() -> None:
    (offer,) = offers(COUNTER, replace(SETTINGS, select=("EDB4",)))
    assert offer.no_fix is NoFix.EXPORT_WOULD_FAIL


def test_a_buffer_that_is_only_computed_with_is_offered() -> None:
    assert all(offer.fixes for offer in offers(PLAIN))


def test_the_rounds_look_at_what_comes_of_all_fixes_together() -> None:
    """The branch on the buffer is a `torch.cond` after the next round."""
    project = engine.Project()
    project.set_text("net.py", HEAD + COUNTER)
    report = engine.check(project, "net.py", SETTINGS)
    done = fix_loop.rewrite(project, report, HEAD + COUNTER, SETTINGS, unsafe=True)
    assert not done.findings
    assert len(done.applied) == 2


def test_the_project_is_as_it_was() -> None:
    project = engine.Project()
    project.set_text("net.py", HEAD + COUNTER)
    before = engine.check(project, "net.py", SETTINGS)
    for finding in before.findings:
        engine.offer(project, finding, SETTINGS)
    assert project.source("net.py") == HEAD + COUNTER
    assert engine.check(project, "net.py", SETTINGS) == before
