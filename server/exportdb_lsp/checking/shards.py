"""Checking the files of a plan, in this process or spread over several."""

from __future__ import annotations

import multiprocessing
import os
import traceback
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exportdb_rules import engine
from exportdb_rules.finding import Finding, Fix

from exportdb_lsp.checking import rounds
from exportdb_lsp.files.rewriting import FileError, TextFile, read_text_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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
    groups: Iterable[Group], work: Work, jobs: int, on_checked: Callable[[int], None] | None = None
) -> list[Checked]:
    """Check every file of the groups; the results stand in the order of the files.

    Args:
        jobs: how many processes to use; with 1 everything runs in this one.
        on_checked: told how many files are done, now and then.
    """
    shards = [shard for group in groups for shard in _cut(group, jobs)]
    results: list[Checked] = []
    if jobs == 1 or len(shards) < 2:
        for shard in shards:
            results += check_group(shard, work)
            if on_checked:
                on_checked(len(results))
        return results
    # A forked child of a process with threads can hang; a spawned one starts clean on every system.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(shards)), mp_context=context) as pool:
        futures = [pool.submit(check_group, shard, work) for shard in shards]
        for shard, future in zip(shards, futures, strict=True):
            try:
                results += future.result()
            except BrokenProcessPool:
                # Out of memory, most often. What is left is checked here, one shard after the other.
                results += check_group(shard, work)
            if on_checked:
                on_checked(len(results))
    return results


def check_group(group: Group, work: Work) -> list[Checked]:
    """Check the files of one group, or one part of it, in this process."""
    project = engine.Project(group.root)
    for filename, text in (work.texts or {}).items():
        project.set_text(filename, text)
    try:
        reports = engine.check_files(project, group.filenames, group.settings)
    except Exception as error:  # One file's trouble must not cost the others their findings.
        if len(group.filenames) == 1:
            return [Checked(group.filenames[0], troubles=(_internal(group.filenames[0], error),))]
        return [result for name in group.filenames for result in check_group(replace(group, filenames=(name,)), work)]
    return [_finish(project, report, group.settings, work) for report in reports]


def _internal(filename: str, error: Exception) -> Trouble:
    """An error of the analyser itself, with the place in it that a bug report needs."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
    return Trouble(filename, f"internal error, please report it: {type(error).__name__}: {error} ({place})")


def _finish(project: engine.Project, report: engine.Report, settings: engine.Settings, work: Work) -> Checked:
    troubles = tuple(Trouble.of(problem) for problem in report.problems)
    findings = report.findings
    change = None
    if work.apply and any(finding.fixable for finding in findings):
        try:
            file = _text_file(report.filename, work)
        except FileError as error:
            return Checked(report.filename, troubles=(*troubles, Trouble(report.filename, str(error))))
        try:
            rewriting = rounds.rewrite(project, report.filename, file.text, settings, unsafe=work.unsafe)
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


def _cut(group: Group, jobs: int) -> list[Group]:
    """Cut a group into parts of about the same number of bytes, files of one folder together as far as that goes."""
    sizes = [_size(filename) for filename in group.filenames]
    parts = min(jobs, max(1, sum(sizes) // SMALLEST_SHARD))
    if parts < 2:
        return [group]
    # Four parts a process: the last ones even out what the sizes did not foretell.
    goal = sum(sizes) / (parts * 4)
    shards: list[list[str]] = [[]]
    filled = 0.0
    for filename, size in zip(group.filenames, sizes, strict=True):
        if filled >= goal:
            shards.append([])
            filled = 0.0
        shards[-1].append(filename)
        filled += size
    return [replace(group, filenames=tuple(shard)) for shard in shards if shard]


def _size(filename: str) -> int:
    try:
        return os.stat(filename).st_size
    except OSError:
        return 0
