"""What the fixture `check_text` gives, a function that checks a text as a file of its own; findings in short."""

from __future__ import annotations

from collections.abc import Callable

from exportdb_rules.engine import Report

Checker = Callable[..., Report]


def codes(report: Report) -> list[str]:
    """The codes of what was found, in the order of the text; nothing may have gone wrong."""
    assert not report.problems
    return [finding.code for finding in report.findings]
