"""How verdicts look on the pages."""

from __future__ import annotations

from collections.abc import Iterable

from exportdb_rules import verdict_table
from exportdb_rules.finding import Mode


def mark(word: str) -> str:
    """A verdict as a coloured word."""
    return f'<span class="verdict {word}">{word}</span>' if word != "-" else "–"


def of(case: str, version: str, mode: Mode) -> str:
    """The verdict that was measured on this very version, `-` where there is none."""
    record = verdict_table.records(version).get(case, {}).get(mode.value)
    return (record.verdict if record else None) or "-"


def table(cases: Iterable[str], *, link: str) -> str:
    """A table of cases over the measured versions, neighbours that agree in one column.

    Each cell is non-strict / strict, once where both are the same.
    """
    cases = tuple(cases)
    columns = verdict_table.spans(cases)
    lines = ["| case | " + " | ".join(map(verdict_table.span_title, columns)) + " |", "|---|" + "---|" * len(columns)]
    for case in cases:
        cells: list[str] = []
        for version, _ in columns:
            words = [of(case, version, mode) for mode in Mode]
            cells.append(mark(words[0]) if words[0] == words[1] else " / ".join(map(mark, words)))
        lines.append(f"| [`{case}`]({link}{case}.md) | " + " | ".join(cells) + " |")
    return "\n".join(lines)
