"""The page of a rule as it is read without a network: its text, and what was measured for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules import verdict_table

if TYPE_CHECKING:
    from exportdb_rules.rule import Rule

_SECTION = "## Verdicts by version"


def page(rule: Rule, measured: str | None = None) -> str:
    """The rule's documentation in Markdown, with what was measured in the section of the verdicts.

    Args:
        rule: the rule.
        measured: the text for that section; `table(rule)` if not given.
    """
    text = rule.documentation.strip()
    # The page is headed by the rule's name in its own file; who reads it by itself wants the code as well.
    text = f"# {rule.name} ({rule.code})\n" + text.partition("\n")[2] if text.startswith("# ") else text
    if not rule.cases:
        return f"{text}\n"
    measured = measured or table(rule)
    before, found, after = text.partition(f"\n{_SECTION}\n")
    if not found:
        return f"{text}\n\n{_SECTION}\n\n{measured}\n"
    _, following, rest = after.partition("\n## ")
    return f"{before}\n{_SECTION}\n{measured}\n{following}{rest}".rstrip() + "\n"


def table(rule: Rule) -> str:
    """Cases by measured versions, neighbours that agree in one column; a cell is one word where both modes agree."""
    columns = verdict_table.spans(rule.cases)
    lines = ["| case | " + " | ".join(map(verdict_table.span_title, columns)) + " |", "|---" * (len(columns) + 1) + "|"]
    for case in rule.cases:
        lines.append(f"| {case} | " + " | ".join(_cell(case, first) for first, _ in columns) + " |")
    return "\n".join([*lines, "", "One verdict if both modes agree, otherwise non-strict / strict."])


def _cell(case: str, version: str) -> str:
    words = [verdict or "–" for verdict in verdict_table.measured(case, version)]
    return words[0] if words[0] == words[1] else " / ".join(words)
