"""A page per rule: the text that stands in the rule's file, and what was measured for it."""

from __future__ import annotations

import difflib
import textwrap
from functools import cache

import verdicts
from exportdb_cases.collection import Case, find
from exportdb_rules.engine import Project, Settings, check, fixes
from exportdb_rules.finding import Applicability, Finding, Fix, Mode
from exportdb_rules.page import page
from exportdb_rules.rewrite.edits import apply
from exportdb_rules.rule import Rule, documented

_SETTINGS = Settings(modes=tuple(Mode), assume_dynamic="all")
# One for all: which files of a folder import which others is read once.
_PROJECT = Project()


def navigation() -> list[dict[str, str]]:
    """The rules, by code."""
    return [{f"{rule.code} {rule.name}": f"rules/{rule.name}.md"} for rule in documented()]


@cache
def pages() -> dict[str, str]:
    """Path -> text."""
    return {f"rules/{rule.name}.md": _page(rule) for rule in documented()} | {"rules/index.md": _index()}


def _index() -> str:
    lines = [
        "# Rules",
        "",
        "The first digit of a code is the family of ExportDB's tags. Every verdict of a rule is the measured verdict of a "
        "[case](../cases/index.md). Codes of four digits (`EDB10…`) are about [what an export is for](../guide/goals.md), and "
        "rest on what its tool was measured to support.",
        "",
        "| code | name | finds |",
        "|---|---|---|",
    ]
    lines += [f"| {rule.code} | [{rule.name}]({rule.name}.md) | {rule.summary} |" for rule in documented()]
    return "\n".join(lines) + "\n"


def _page(rule: Rule) -> str:
    if not rule.cases:
        return page(rule)
    cases = [case for name in rule.cases if (case := find(name))]
    table = verdicts.table([case.name for case in cases], link="../cases/")
    lines = [page(rule, f"{table}\n\nOne verdict if both modes agree, otherwise non-strict / strict."), ""]
    shown = [example for case in cases if (example := _example(rule, case))]
    if shown:
        lines += ["## Output", "", *shown]
    return "\n".join(lines)


def _example(rule: Rule, case: Case) -> str | None:
    """What the check really says of the case, and what its first fix really makes of it."""
    report = check(_PROJECT, str(case.path), _SETTINGS)
    finding = next((finding for finding in report.findings if finding.code == rule.code), None)
    if finding is None:
        return None
    row = finding.span.start.row
    line = case.source.splitlines()[row - 1].strip()
    text = f"[`{case.name}`](../cases/{case.name}.md), line {row}:\n\n```python\n{line}\n```\n\n> {finding.message}\n"
    fix = _first_fix(finding)
    _PROJECT.end(str(case.path))
    if fix is None:
        return text
    safety = "safe" if fix.applicability is Applicability.SAFE else "unsafe"
    changed = difflib.unified_diff(
        case.source.splitlines(), apply(case.source, fix.edits).splitlines(), "before", "after", lineterm="", n=1
    )
    block = textwrap.indent("\n".join(["```diff", *changed, "```"]), "    ")
    return f'{text}\n??? example "{fix.title} ({safety})"\n{block}\n'


def _first_fix(finding: Finding) -> Fix | None:
    found = fixes(_PROJECT, finding, _SETTINGS)
    return next((fix for fix in found if fix.preferred), found[0] if found else None)
