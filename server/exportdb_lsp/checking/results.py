"""What is wanted of a check of many files, and what comes of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exportdb_rules.finding import Finding, Fix, Mode, Problem, Severity, Span
    from exportdb_rules.no_fix import NoFix

    from exportdb_lsp.confirm.confirmation import Confirmation
    from exportdb_lsp.files.rewriting import TextFile


FindingKey = tuple[tuple[str, str, str], str]
"""A finding that is told from others without its position: rule, entry and words of it, and its line."""


@dataclass(frozen=True)
class CheckRequest:
    """What is wanted besides the findings.

    `show_fixes`: the preferred fix of each finding; `fixes_of`: of these alone, by filename, each told by its code and its
    place; `fix_of_code`: whether a finding of each rule has one, so that others of the rule need not be asked. `apply`: apply fixes; `unsafe`: also those that may change eager.
    `texts` stands in for the disk, by filename. `refused`: fixes that are not to be applied, by filename.
    """

    show_fixes: bool = False
    fixes_of: Mapping[str, frozenset[tuple[str, Span]]] | None = None
    fix_of_code: bool = False
    apply: bool = False
    unsafe: bool = False
    texts: Mapping[str, str] | None = None
    refused: Mapping[str, frozenset[FindingKey]] = field(default_factory=dict["str", "frozenset[FindingKey]"])

    @property
    def every_fix(self) -> bool:
        """Whether the fixes of all findings are shown."""
        return self.show_fixes and self.fixes_of is None and not self.fix_of_code


@dataclass(frozen=True)
class CheckedFinding:
    """A finding, and its preferred fix if it was asked for and there is one; or why there is none, as far as that is known.

    In a notebook `cell` is the number of its cell, and all places are those in that cell. `confirmation`: what earlier
    exports said of it; `modes` are those that were asked for.
    """

    finding: Finding
    fix: Fix | None = None
    cell: int | None = None
    no_fix: NoFix | None = None
    confirmation: Confirmation | None = None
    modes: tuple[Mode, ...] = ()

    @property
    def message(self) -> str:
        """The message of the finding, with what exports said of it, for formats that have but one text."""
        return (
            self.finding.message if self.confirmation is None else f"{self.finding.message} ({self.confirmation.note})"
        )

    @property
    def severity(self) -> Severity:
        """How severe it is, by what exports said of it where they did."""
        return (
            self.finding.severity if self.confirmation is None else self.confirmation.severity(self.finding, self.modes)
        )

    @property
    def place(self) -> str:
        """What its rows are counted in: the file, or a cell of it."""
        return cell_name(self.finding.filename, self.cell)


def cell_name(filename: str, cell: int | None) -> str:
    """How a cell of a notebook is called: `x.ipynb:cell 3`."""
    return filename if cell is None else f"{filename}:cell {cell}"


@dataclass(frozen=True)
class Applied:
    """A fix that was applied: the rule, the title of its fix, the entry that reached the line, and the row, in the text
    as it then was."""

    code: str
    title: str
    entry: str = ""
    row: int = 0
    place: FindingKey | None = None


@dataclass(frozen=True)
class Change:
    """A file whose fixes were applied, in memory: what was read, and what should stand there."""

    file: TextFile
    text: str
    applied: tuple[Applied, ...]


@dataclass(frozen=True)
class Checked:
    """What came of one file. With `apply` the findings are those that are left after the fixes."""

    filename: str
    found: tuple[CheckedFinding, ...] = ()
    problems: tuple[Problem, ...] = ()
    change: Change | None = None
