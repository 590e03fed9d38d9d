"""How verdicts look on the pages."""

from __future__ import annotations

from collections.abc import Iterable

from exportdb_rules import support
from exportdb_rules.finding import Mode


def mark(word: str) -> str:
    """A verdict as a coloured word."""
    return f'<span class="verdict {word}">{word}</span>' if word != "-" else "–"


def of(case: str, version: str, mode: Mode) -> str:
    """The verdict that was measured on this very version, `-` where there is none."""
    record = support.records(version).get(case, {}).get(mode.value)
    return (record.verdict if record else None) or "-"


def table(cases: Iterable[str], *, link: str) -> str:
    """A table of cases over the measured versions; each cell is non-strict / strict, once where both are the same."""
    versions = support.versions()
    lines = ["| case | " + " | ".join(versions) + " |", "|---|" + "---|" * len(versions)]
    for case in cases:
        cells: list[str] = []
        for version in versions:
            words = [of(case, version, mode) for mode in Mode]
            cells.append(mark(words[0]) if words[0] == words[1] else " / ".join(map(mark, words)))
        lines.append(f"| [`{case}`]({link}{case}.md) | " + " | ".join(cells) + " |")
    return "\n".join(lines)
