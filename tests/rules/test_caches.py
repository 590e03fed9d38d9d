"""State that every call could make anew is no state; what looks like it and depends on data is."""

from __future__ import annotations

from textwrap import indent

import pytest
from exportdb_rules import engine
from exportdb_rules.project import Project

NET = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.scale = 2.0
        self.kept = {first}
        self.length = 0

    def forward(self, x):
        n = x.shape[1]
{body}
"""


def codes(body: str, first: str = "None") -> list[str]:
    project = Project()
    project.set_text("/net.py", NET.format(first=first, body=indent(body.replace("|", "\n"), " " * 8)))
    report = engine.check(project, "/net.py", engine.Settings())
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize(
    "body",
    [
        "if self.kept is None:|    self.kept = torch.arange(n) * self.scale|return x * self.kept",
        "if self.kept is None or self.kept.shape[0] < n:|    self.kept = torch.ones(n, n).tril()|return x @ self.kept[:n, :n]",
        "if not hasattr(self, 'mask'):|    self.mask = torch.zeros(n, device=x.device)|return x + self.mask",
        "if n > self.length:|    self.length = n|    t = torch.arange(n)|    self.kept = t.cos()|return x * self.kept[:n]",
        "if self.length != n:|    with torch.no_grad():|        self.kept = x.new_zeros(n)|    self.length = n|return x + self.kept",
    ],
    ids=["made once", "grows", "looked for", "by its length", "without gradients"],
)
def test_what_is_made_of_sizes_is_no_state(body: str) -> None:
    assert codes(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "if self.kept is None:|    self.kept = x.mean(0)|return x - self.kept",
        "if self.kept is None:|    self.kept = torch.randn(n)|return x - self.kept",
        "if self.kept is None:|    self.kept = self.layer(x)|return x - self.kept",
        "if self.kept is None:|    self.kept = torch.zeros(n)|self.kept = self.kept + x.mean(0)|return x - self.kept",
        "if self.kept is None:|    self.kept = torch.zeros(n)|self.kept.add_(x.mean())|return x - self.kept",
        "if self.kept is None:|    y = x * 2|    self.kept = torch.zeros(n)|else:|    y = x|return y + self.kept",
        "y = x if self.kept is None else x * 2|if self.kept is None:|    self.kept = torch.zeros(n)|return y + self.kept",
        "if self.kept is None:|    x = x * 2|    self.kept = torch.zeros(n)|return x + self.kept",
        "self.length = self.length + 1|return x * self.length",
        "y = x * self.length|self.length = n|return y",
        "if x.sum() > 0:|    self.kept = torch.zeros(n)|return x if self.kept is None else x + self.kept",
    ],
    ids=[
        "data",
        "random",
        "a layer",
        "added to",
        "in place",
        "else",
        "asked before",
        "more",
        "counted",
        "before",
        "by data",
    ],
)
def test_what_depends_on_data_or_on_earlier_calls_is_state(body: str) -> None:
    assert codes(body)


@pytest.mark.parametrize(
    ("first", "body"),
    [
        ("[]", "self.kept.clear()|self.kept.append(x)|return sum(self.kept)"),
        ("{}", "self.kept['a'] = x * 2|return self.kept['a'] + 1"),
    ],
)
def test_a_container_that_is_filled_anew_is_no_state(first: str, body: str) -> None:
    assert codes(body, first) == []


@pytest.mark.parametrize(
    ("first", "body"),
    [
        ("[]", "self.kept.append(x)|y = sum(self.kept)|self.kept.clear()|return y"),
        ("{}", "y = self.kept['a']|self.kept['a'] = x * 2|return y"),
        ("{}", "self.kept['a'] = x * 2|return sum(self.kept.values())"),
        ("{}", "if n > 3:|    self.kept['a'] = x * 2|return self.kept['a']"),
        ("{'a': 0}", "self.kept['a'] += x|return self.kept['a']"),
    ],
)
def test_a_container_that_is_read_first_is_state(first: str, body: str) -> None:
    assert "EDB402" in codes(body, first)
