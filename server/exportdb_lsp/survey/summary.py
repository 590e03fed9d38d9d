"""The rows of a survey by class, and what they come to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.survey.rows import ALWAYS, Row, Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from exportdb_lsp.survey.rows import FailingLine


@dataclass(frozen=True, slots=True)
class Surveyed:
    """One class with its rows, by the way of exporting; a way that was not tried has none."""

    filename: str
    name: str
    row: int
    rows: Mapping[Setting, Row]

    @property
    def place(self) -> str:
        """`FILE:ROW`."""
        return f"{self.filename}:{self.row}"

    @property
    def lines(self) -> tuple[FailingLine, ...]:
        """The lines that failed, each once: torch's first of each mode, then those behind it."""
        tried = [row for row in self.rows.values() if not row.outcome.untried]
        found = [row.line for row in tried if row.line is not None and row.outcome is not Outcome.OK]
        found += [line for row in tried for line in row.later]
        each: dict[str, FailingLine] = {}
        for line in found:
            each.setdefault(line.place, line)
        return tuple(each.values())


def settings_of(classes: Iterable[Surveyed]) -> list[Setting]:
    """The ways of exporting that a survey tells of: those that it always has, and the goals that it was asked for."""
    tried = {setting for one in classes for setting in one.rows}
    return [setting for setting in Setting if setting in ALWAYS or setting in tried]


def by_class(rows: Iterable[Row]) -> list[Surveyed]:
    """The rows by file and place in it."""
    classes: dict[tuple[str, int, str], dict[Setting, Row]] = {}
    for row in rows:
        classes.setdefault((row.filename, row.row, row.name), {})[row.setting] = row
    return [Surveyed(filename, name, at, kept) for (filename, at, name), kept in sorted(classes.items())]


@dataclass(frozen=True, slots=True)
class Summary:
    """`outcomes` counts the classes by verdict in each way of exporting. `built` are those that ran in eager. Of the
    `lines` on which an export failed, `found` are those that `check` reports too."""

    classes: int
    built: int
    outcomes: Mapping[Setting, Mapping[Outcome, int]]
    lines: int
    found: int
    whole: int
    """Classes of which `Dim.AUTO` keeps every size dynamic, of those that were exported so."""

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "classes": self.classes,
            "built": self.built,
            "outcomes": {
                setting.value: {outcome.value: count for outcome, count in counts.items()}
                for setting, counts in self.outcomes.items()
            },
            "failing_lines": self.lines,
            "found_by_check": self.found,
            "all_dimensions_dynamic": self.whole,
        }


def summary(classes: Iterable[Surveyed]) -> Summary:
    """What the classes come to."""
    classes = list(classes)
    outcomes = {setting: Counter[Outcome]() for setting in settings_of(classes)}
    for one in classes:
        for setting, row in one.rows.items():
            outcomes[setting][row.outcome] += 1
    lines = {line.place: bool(line.rule) for one in classes for line in one.lines}
    tried = [one for one in classes if not all(row.outcome.untried for row in one.rows.values())]
    auto = [row for one in classes if (row := one.rows.get(Setting.AUTO)) is not None and row.outcome is Outcome.OK]
    return Summary(
        len(classes), len(tried), outcomes, len(lines), sum(lines.values()), sum(not row.fixed for row in auto)
    )
