"""Checking the files of a plan, in this process or spread over several."""

from __future__ import annotations

import multiprocessing
import os
import traceback
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exportdb_rules import engine
from exportdb_rules.finding import Finding, Fix

from exportdb_lsp.checking import rounds
from exportdb_lsp.files.rewriting import FileError, TextFile, read_text_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from exportdb_lsp.checking.plan import Group

# A process costs about as much to start as it takes to check this many bytes.
SMALLEST_SHARD: Final = 200_000


@dataclass(frozen=True)
class Work:
    """What is wanted besides the findings.

    `show_fixes`: the preferred fix of each finding. `apply`: apply fixes; `unsafe`: also those that may change eager.
    `texts` stands in for the disk, by filename.
    """

    show_fixes: bool = False
    apply: bool = False
    unsafe: bool = False
    texts: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Found:
    """A finding, and its preferred fix if it was asked for and there is one."""

    finding: Finding
    fix: Fix | None = None


@dataclass(frozen=True)
class Trouble:
    """Why a file was not checked, or not wholly: a sentence, and the place if there is one."""

    filename: str
    message: str
    row: int | None = None
    column: int | None = None

    @classmethod
    def of(cls, problem: engine.Problem) -> Trouble:
        """The analyser's problem as trouble."""
        return cls(problem.filename, problem.message, problem.position.row, problem.position.column)


@dataclass(frozen=True)
class Change:
    """A file whose fixes were applied, in memory: what was read, and what should stand there."""

    file: TextFile
    text: str
    applied: tuple[rounds.Applied, ...]


@dataclass(frozen=True)
class Checked:
    """What came of one file. With `apply` the findings are those that are left after the fixes."""

    filename: str
    found: tuple[Found, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    change: Change | None = None


def check_groups(
    groups: Sequence[Group], work: Work, jobs: int, on_checked: Callable[[int], None] | None = None
) -> list[Checked]:
    """Check every file of the groups; the results stand in the order of the files.

    Args:
        jobs: how many processes to use; with 1 everything runs in this one.
        on_checked: told how many files are done, now and then.
    """
    if jobs > 1:
        parts = [_cut(group, jobs) for group in groups]
        if any(len(cut) > 1 for cut in parts):
            return _check_in_processes(list(groups), parts, work, jobs, on_checked)
    results: list[Checked] = []
    for group in groups:
        results += check_group(group, work)
        if on_checked:
            on_checked(len(results))
    return results


def check_group(group: Group, work: Work) -> list[Checked]:
    """Check the files of one group in this process."""
    project = _project(group, work)
    try:
        reports = engine.check_files(project, group.filenames, group.settings)
    except Exception as error:  # One file's trouble must not cost the others their findings.
        if len(group.filenames) == 1:
            return [Checked(group.filenames[0], troubles=(_internal(group.filenames[0], error),))]
        return [result for name in group.filenames for result in check_group(replace(group, filenames=(name,)), work)]
    return [_finish(project, report, group, work) for report in reports]


def _check_in_processes(
    groups: Sequence[Group],
    parts: Sequence[Sequence[tuple[str, ...]]],
    work: Work,
    jobs: int,
    on_checked: Callable[[int], None] | None,
) -> list[Checked]:
    """Entries are run by the part, what they found is put together here, and fixes are computed by the part again."""
    # A forked child of a process with threads can hang; a spawned one starts clean on every system.
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        running = [
            [pool.submit(_run_part, group, part) for part in cut] for group, cut in zip(groups, parts, strict=True)
        ]
        results: list[Checked] = []
        for group, cut in zip(groups, running, strict=True):
            try:
                told = [future.result() for future in cut]
                reports = engine.put_together(engine.Project(group.root), told, group.settings)
                finishing = [
                    pool.submit(_finish_alone, report, group, work) for report in reports if _unfinished(report, work)
                ]
                finished = {result.filename: result for result in (future.result() for future in finishing)}
            except Exception:
                # A process that ran out of memory, or an error of the analyser, which costs its own file only here.
                results += check_group(group, work)
            else:
                results += [finished.get(report.filename) or _plain(report) for report in reports]
            if on_checked:
                on_checked(len(results))
    return results


def _run_part(group: Group, part: tuple[str, ...]) -> list[engine.Report]:
    return engine.check_part(engine.Project(group.root), part, group.settings, group.filenames)


def _finish_alone(report: engine.Report, group: Group, work: Work) -> Checked:
    return _finish(_project(group, work), report, group, work)


def _unfinished(report: engine.Report, work: Work) -> bool:
    return (work.apply or work.show_fixes) and any(finding.fixable for finding in report.findings)


def _plain(report: engine.Report) -> Checked:
    return Checked(report.filename, tuple(map(Found, report.findings)), tuple(map(Trouble.of, report.problems)))


def _project(group: Group, work: Work) -> engine.Project:
    project = engine.Project(group.root)
    for filename, text in (work.texts or {}).items():
        project.set_text(filename, text)
    return project


def _internal(filename: str, error: Exception) -> Trouble:
    """An error of the analyser itself, with the place in it that a bug report needs."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
    return Trouble(filename, f"internal error, please report it: {type(error).__name__}: {error} ({place})")


def _finish(project: engine.Project, report: engine.Report, group: Group, work: Work) -> Checked:
    settings = group.settings
    troubles = tuple(Trouble.of(problem) for problem in report.problems)
    findings = report.findings
    change = None
    if work.apply and any(finding.fixable for finding in findings):
        try:
            file = _text_file(report.filename, work)
        except FileError as error:
            return Checked(report.filename, troubles=(*troubles, Trouble(report.filename, str(error))))
        try:
            rewriting = rounds.rewrite(
                project, report, file.text, settings, unsafe=work.unsafe, together=group.filenames
            )
        except Exception as error:
            project.set_text(report.filename, file.text)
            return Checked(report.filename, tuple(map(Found, findings)), (*troubles, _internal(report.filename, error)))
        findings = rewriting.findings
        if rewriting.gave_up:
            troubles = (*troubles, Trouble(report.filename, rewriting.gave_up))
        if rewriting.text != file.text:
            change = Change(file, rewriting.text, rewriting.applied)
    if not work.show_fixes:
        return Checked(report.filename, tuple(map(Found, findings)), troubles, change)
    found: list[Found] = []
    for finding in findings:
        fix = None
        if finding.fixable:
            try:
                fix = rounds.preferred(engine.fixes(project, finding, settings))
            except Exception as error:
                troubles = (*troubles, _internal(report.filename, error))
        found.append(Found(finding, fix))
    return Checked(report.filename, tuple(found), troubles, change)


def _text_file(filename: str, work: Work) -> TextFile:
    text = (work.texts or {}).get(filename)
    if text is None:
        return read_text_file(Path(filename))
    return TextFile(Path(filename), text.encode("utf-8", "surrogatepass"), text, "utf-8")


def _cut(group: Group, jobs: int) -> list[tuple[str, ...]]:
    """Cut the files of a group into parts of about the same number of bytes, neighbours together as far as that goes."""
    sizes = [_size(filename) for filename in group.filenames]
    parts = min(jobs, max(1, sum(sizes) // SMALLEST_SHARD))
    if parts < 2:
        return [group.filenames]
    # Four parts a process: the last ones even out what the sizes did not foretell.
    goal = sum(sizes) / (parts * 4)
    cut: list[list[str]] = [[]]
    filled = 0.0
    for filename, size in zip(group.filenames, sizes, strict=True):
        if filled >= goal:
            cut.append([])
            filled = 0.0
        cut[-1].append(filename)
        filled += size
    return [tuple(part) for part in cut if part]


def _size(filename: str) -> int:
    try:
        return os.stat(filename).st_size
    except OSError:
        return 0
