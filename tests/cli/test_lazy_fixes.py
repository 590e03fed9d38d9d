"""Fixes are computed where they are shown, and nowhere else; where there is none because it is too large, that is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from exportdb_rules import engine
from exportdb_rules.rewrite import effort

from .conftest import BRANCH, DATA

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Program

TWICE = (
    BRANCH
    + "\n\nclass Other(Net):\n    def forward(self, x):\n        if x.sum() > 1:\n            x = x + 2\n        return x\n"
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The findings that are asked for fixes, by their code."""
    found: list[str] = []
    original: Callable[..., engine.FixOffer] = engine.offer

    def offer(project: engine.Project, finding: object, *rest: object, **named: object) -> engine.FixOffer:
        found.append(f"{finding.filename[-4:]}:{finding.span.start.row}")  # type: ignore[attr-defined]
        return original(project, finding, *rest, **named)

    monkeypatch.setattr(engine, "offer", offer)
    return found


@pytest.mark.parametrize("wanted", ["github", "gitlab"])
def test_a_format_without_fixes_asks_for_none(run: Program, asked: list[str], wanted: str) -> None:
    run.write("n.py", TWICE)
    assert run("check", "n.py", "--no-cache", "--output-format", wanted).status == 1
    assert asked == []


def test_a_baseline_is_written_without_fixes(run: Program, asked: list[str]) -> None:
    run.write("n.py", TWICE)
    assert run("check", "n.py", "--no-cache", "--write-baseline", "base.json").status == 0
    assert asked == []


def test_what_a_baseline_knows_is_not_asked_for_fixes(run: Program, asked: list[str]) -> None:
    run.write("n.py", BRANCH)
    run("check", "n.py", "--write-baseline", "base.json")
    run.write("n.py", TWICE)
    run.write("m.py", DATA)
    done = run("check", ".", "--no-cache", "--baseline", "base.json", "--output-format", "json")
    assert sorted(finding["filename"].rpartition("/")[2] for finding in done.json) == ["m.py", "n.py"]
    assert all(finding["fix"] for finding in done.json)
    assert sorted(asked) == ["m.py:7", "n.py:15"]


def test_statistics_ask_until_one_finding_of_a_rule_has_a_fix(run: Program, asked: list[str]) -> None:
    run.write("n.py", TWICE)
    assert "[*] tensor-branch" in run("check", "n.py", "--no-cache", "--statistics").out
    assert asked == ["n.py:7"]


@pytest.mark.parametrize("cache", [[], ["--no-cache"]])
def test_the_reason_is_given_where_fixes_are_too_large(
    run: Program, monkeypatch: pytest.MonkeyPatch, cache: list[str]
) -> None:
    monkeypatch.setattr(effort, "MAX_STEPS", 10)
    run.write("n.py", BRANCH)
    for _ in range(2):
        (finding,) = run("check", "n.py", *cache, "--output-format", "json").json
        assert finding["fix"] is None
        assert finding["no_fix"] == {"id": "too-large", "text": finding["no_fix"]["text"]}
    text = run("check", "n.py", *cache).out
    assert "no fix: too large" in text
    assert "can be fixed" not in text


def test_a_fix_comes_without_a_reason(run: Program) -> None:
    run.write("n.py", BRANCH)
    (finding,) = run("check", "n.py", "--output-format", "json").json
    assert finding["fix"]
    assert finding["no_fix"] is None
