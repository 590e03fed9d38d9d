"""One process's analyser: it checks one file after the other, and keeps what it read for the next."""

from __future__ import annotations

import os
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exportdb_rules import engine
from exportdb_rules.finding import Problem
from exportdb_rules.importers import importers
from exportdb_rules.report import Unit, merge_units

from exportdb_lsp.checking import fix_loop
from exportdb_lsp.checking.file_state import FileState
from exportdb_lsp.checking.interrupts import raise_if_interrupted
from exportdb_lsp.checking.results import Change, Checked, CheckedFinding, CheckRequest
from exportdb_lsp.files.rewriting import FileError, TextFile, read_text_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.finding import Finding
    from exportdb_rules.names import Names
    from exportdb_rules.report import Report

    from exportdb_lsp.checking.plan import ProjectFiles

# How much text is kept parsed, in characters. A megabyte of text makes some 30 of trees.
MAX_KEPT: Final = 12_000_000


@dataclass(frozen=True)
class Analysed:
    """The units of some files, the files that each of them rests on, and what those files were like; and what was read of
    the names that files bind, by file. `finished` has the files that no other imports, with what is to be reported of
    each where no other unit adds to it."""

    units: tuple[tuple[Unit, tuple[str, ...]], ...]
    table: dict[str, FileState | None]
    names: dict[str, tuple[str, Names]]
    finished: tuple[tuple[Report, Finished], ...] = ()


@dataclass(frozen=True)
class Finished:
    """A checked file. `callers` and `behind` are the files that its fixes rest on besides the findings: those whose entries
    were traced, and all that these read. `whole` says that the analyser did not stumble over any."""

    checked: Checked
    whole: bool = False
    callers: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    table: dict[str, FileState | None] | None = None


class FileAnalyzer:
    """Checks the files of one group. Where its memory grows too large it forgets what it did not use for long."""

    def __init__(self, group: ProjectFiles, work: CheckRequest) -> None:
        self._group = group
        self._work = work
        self._project = self._fresh()

    def units(self, filenames: Sequence[str]) -> Analysed:
        """Trace the entries of some files."""
        units: list[tuple[Unit, tuple[str, ...]]] = []
        finished: list[tuple[Report, Finished]] = []
        table: dict[str, FileState | None] = {}
        for name in filenames:
            raise_if_interrupted()
            project = self._spared()
            unit, behind = self._unit(project, name), tuple(project.dependencies(name))
            units.append((unit, behind))
            if self._mends and unit.fixable and not importers(project, name):
                # What its expressions evaluated to is at hand now.
                report = merge_units([unit], [name], project.source, self._group.settings)[0]
                finished.append((report, self._finished(project, report, ())))
            # What a file rests on is known for as long as it is kept.
            for other, state in FileState.table(project, behind).items():
                known = table.setdefault(other, state)
                table[other] = None if known is None or state is None else known.joined(state)
        return Analysed(tuple(units), table, self._project.names_kept.new(), tuple(finished))

    @property
    def _mends(self) -> bool:
        """Whether the fixes of all that is found are computed."""
        return self._work.every_fix and not self._work.apply

    def finish(self, report: Report, together: Sequence[str]) -> Finished:
        """Compute, or apply, the fixes of what was found in a file.

        Args:
            together: the other files whose entries reach the file; to apply fixes, all that may.
        """
        return self._finished(self._spared(), report, together)

    def _finished(self, project: engine.Project, report: Report, together: Sequence[str]) -> Finished:
        checked, whole = self._finish(project, report, together)
        project.end_sessions()
        if self._work.apply:
            # Each file is mended against what the others hold on disk, whichever process mends which, and when.
            if report.filename not in (self._work.texts or {}):
                project.drop_text(report.filename)
            return Finished(checked)
        behind = {name for start in (*together, report.filename) for name in project.dependencies(start)}
        return Finished(checked, whole, tuple(together), tuple(behind), FileState.table(project, behind))

    def dissolve(self) -> None:
        """Forget all that was read: the files of another group may follow."""
        self._project.spare(0)

    def _fresh(self) -> engine.Project:
        project = engine.Project(self._group.root)
        for filename, text in (self._work.texts or {}).items():
            project.set_text(filename, text)
        return project

    def _spared(self) -> engine.Project:
        self._project.spare(MAX_KEPT)
        return self._project

    def _unit(self, project: engine.Project, filename: str) -> Unit:
        try:
            return engine.check_unit(project, filename, self._group.settings, keep=self._mends)
        except Exception as error:  # One file's trouble must not cost the others their findings.
            problem = Problem(filename, _internal(error), internal=True)
            return Unit(filename, problems=(problem,))

    def _finish(self, project: engine.Project, report: Report, together: Sequence[str]) -> tuple[Checked, bool]:
        """What comes of a file, and whether the analyser did its work without an error of its own."""
        problems = list(report.problems)
        findings, change = report.findings, None
        if self._work.apply:
            try:
                findings, change = self._apply(project, report, together, problems)
            except FileError as error:
                problems.append(Problem(report.filename, str(error)))
                return Checked(report.filename, problems=tuple(problems)), True
            except Exception as error:
                problems.append(Problem(report.filename, _internal(error)))
                return Checked(report.filename, tuple(map(CheckedFinding, findings)), tuple(problems)), False
        if not self._work.show_fixes:
            return Checked(report.filename, tuple(map(CheckedFinding, findings)), tuple(problems), change), True
        reaching = None if self._work.apply else together
        found, whole = self._with_fixes(project, report.filename, findings, problems, reaching)
        return Checked(report.filename, tuple(found), tuple(problems), change), whole

    def _with_fixes(
        self,
        project: engine.Project,
        filename: str,
        findings: Sequence[Finding],
        problems: list[Problem],
        reaching: Sequence[str] | None,
    ) -> tuple[list[CheckedFinding], bool]:
        """The findings of a file with the fixes that are wanted, and whether the analyser did not stumble over any."""
        wanted = None if self._work.fixes_of is None else self._work.fixes_of.get(filename, frozenset())
        asked = [f for f in findings if f.fixable and (wanted is None or (f.code, f.span) in wanted)]
        module = project.module(filename)
        budget = engine.Budget(module.text if module is not None else "", len(asked))
        offers: dict[int, engine.FixOffer] = {}
        fixed: set[str] = set()
        whole = True
        for finding in asked:
            raise_if_interrupted()
            if self._work.fix_of_code and finding.code in fixed:
                continue
            try:
                offer = engine.offer(project, finding, self._group.settings, budget=budget, reaching=reaching)
            except Exception as error:
                whole = False
                problems.append(Problem(filename, _internal(error)))
            else:
                offers[id(finding)] = offer
                fixed |= {finding.code} if fix_loop.preferred(offer.fixes) is not None else set()
        none = engine.FixOffer()
        answers = [(finding, offers.get(id(finding), none)) for finding in findings]
        return [
            CheckedFinding(f, fix_loop.preferred(answer.fixes), no_fix=answer.no_fix) for f, answer in answers
        ], whole

    def _apply(
        self, project: engine.Project, report: Report, together: Sequence[str], problems: list[Problem]
    ) -> tuple[tuple[Finding, ...], Change | None]:
        """Apply fixes; the findings that are left, and the change. Raises FileError."""
        file = self._text_file(report.filename)
        rewriting = fix_loop.rewrite(
            project,
            report,
            file.text,
            self._group.settings,
            unsafe=self._work.unsafe,
            together=together,
            refused=self._work.refused.get(report.filename, frozenset()),
        )
        if rewriting.gave_up:
            problems.append(Problem(report.filename, rewriting.gave_up))
        change = Change(file, rewriting.text, rewriting.applied) if rewriting.text != file.text else None
        return rewriting.findings, change

    def _text_file(self, filename: str) -> TextFile:
        text = (self._work.texts or {}).get(filename)
        if text is None:
            return read_text_file(Path(filename))
        return TextFile(Path(filename), text.encode("utf-8", "surrogatepass"), text, "utf-8")


def _internal(error: Exception) -> str:
    """An error of the analyser itself, with the place in it that a bug report needs."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
    return f"internal error, please report it: {type(error).__name__}: {error} ({place})"
