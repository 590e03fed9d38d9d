"""Checking the files of a plan: what is known from earlier is recalled, the rest is given to a pool."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from exportdb_rules.importers import callers, reaching_files
from exportdb_rules.project import Project
from exportdb_rules.report import merge_units
from exportdb_rules.rule import no_fix

from exportdb_lsp.checking.result_cache import ResultCache
from exportdb_lsp.checking.results import Checked, CheckedFinding, CheckRequest
from exportdb_lsp.checking.worker_pool import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from exportdb_rules.report import Report, Unit

    from exportdb_lsp.checking.cache_store import CacheStore
    from exportdb_lsp.checking.file_analyzer import Finished
    from exportdb_lsp.checking.plan import ProjectFiles


def check_groups(
    groups: Sequence[ProjectFiles],
    work: CheckRequest,
    jobs: int,
    on_checked: Callable[[int], None] | None = None,
    store: CacheStore | None = None,
    *,
    ending: bool = False,
) -> list[Checked]:
    """Check every file of the groups; the results stand in the order of the files.

    They are the same for every number of jobs, and with a store as without one.

    Args:
        jobs: how many processes to use; with 1 everything runs in this one.
        on_checked: told how many files are done, now and then.
        store: results of earlier runs, which stand in for what has not changed since.
        ending: the process ends soon: what was read of the last group need not be taken apart.
    """
    results: list[Checked] = []
    for group in groups:
        last = ending and group is groups[-1]
        results += _check_group(group, work, jobs, _counted(on_checked, len(results)), store, last=last)
        if on_checked:
            on_checked(len(results))
    return results


def check_group(group: ProjectFiles, work: CheckRequest) -> list[Checked]:
    """Check the files of one group in this process."""
    return _check_group(group, work, 1, None, None)


def _check_group(
    group: ProjectFiles,
    work: CheckRequest,
    jobs: int,
    on_checked: Callable[[int], None] | None,
    store: CacheStore | None,
    *,
    last: bool = False,
) -> list[Checked]:
    # Texts that are on no disk are checked once: nothing of them is kept.
    kept = store if not work.texts else None
    cache = ResultCache(group.root, group.settings.packages) if kept is None else kept.open(group)
    project = Project(group.root)
    for filename, text in (work.texts or {}).items():
        project.set_text(filename, text)
    wanted = (*reaching_files(project, group.filenames), *group.filenames)
    units: dict[str, Unit] = {}
    behind: dict[str, tuple[str, ...]] = {}
    ready: dict[str, tuple[Report, Finished]] = {}
    for name in wanted:
        unit = cache.unit(name)
        if unit is not None:
            units[name], behind[name] = unit, cache.behind(name)
    with WorkerPool(group, work, jobs, last=last) as pool:
        for analysed in pool.units([name for name in wanted if name not in units]):
            cache.add_units(analysed)
            for unit, files in analysed.units:
                units[unit.filename], behind[unit.filename] = unit, files
            ready |= {report.filename: (report, finished) for report, finished in analysed.finished}
            if on_checked:
                on_checked(len(units))
        reports = merge_units([units[name] for name in wanted], group.filenames, project.source, group.settings)
        checked = {report.filename: _plain(report) for report in reports}
        unfinished = [report for report in reports if _unfinished(report, work)]
        reaching = {
            report.filename: [
                name for name in callers(project, report) if name not in units or report.filename in units[name].reached
            ]
            for report in (() if work.apply else unfinished)
        }
        if work.every_fix and not work.apply:
            unfinished = _recall(unfinished, reaching, cache, checked)
        mendings: list[tuple[Report, Sequence[str]]] = []
        done: list[Finished] = []
        for report in unfinished:
            name = report.filename
            finished = _as_reported(report, *ready[name]) if name in ready else None
            if finished is not None:
                done.append(finished)
            elif work.apply:
                mendings.append((report, [other for other in wanted if name in behind[other]]))
            else:
                mendings.append((report, reaching[name]))
        for finished in chain(done, pool.finish(mendings)):
            checked[finished.checked.filename] = finished.checked
            if not work.apply and work.every_fix:
                cache.add_fixes(finished)
    if kept is not None:
        kept.save(group, cache)
    return [_explained(one) for one in checked.values()]


def _explained(checked: Checked) -> Checked:
    """With the reason beside each finding that no rewrite is known for."""
    found = [item if item.finding.fixable else replace(item, no_fix=no_fix(item.finding)) for item in checked.found]
    return replace(checked, found=tuple(found))


def _recall(
    reports: Sequence[Report],
    reaching: Mapping[str, Sequence[str]],
    cache: ResultCache,
    checked: dict[str, Checked],
) -> list[Report]:
    """Take the fixes that are known from earlier; the reports whose fixes are not."""
    left: list[Report] = []
    for report in reports:
        fixes = cache.fixes(report, reaching[report.filename])
        if fixes is None:
            left.append(report)
        else:
            found = tuple(
                [CheckedFinding(f, fix, no_fix=none) for f, (fix, none) in zip(report.findings, fixes, strict=True)]
            )
            checked[report.filename] = replace(checked[report.filename], found=found)
    return left


def _as_reported(report: Report, alone: Report, finished: Finished) -> Finished | None:
    """What was finished of a file by its own unit `alone`, as all units report it; None if they ask for other fixes."""
    if [f for f in report.findings if f.fixable] != [f for f in alone.findings if f.fixable]:
        return None
    fixed = iter([item for item in finished.checked.found if item.finding.fixable])
    found = tuple([next(fixed) if finding.fixable else CheckedFinding(finding) for finding in report.findings])
    return replace(finished, checked=replace(finished.checked, found=found))


def _unfinished(report: Report, work: CheckRequest) -> bool:
    wanted = work.apply or (work.show_fixes and (work.fixes_of is None or report.filename in work.fixes_of))
    return wanted and any(finding.fixable for finding in report.findings)


def _plain(report: Report) -> Checked:
    return Checked(report.filename, tuple(map(CheckedFinding, report.findings)), report.problems)


def _counted(on_checked: Callable[[int], None] | None, before: int) -> Callable[[int], None] | None:
    """Counts on from the groups before."""
    return None if on_checked is None else lambda done: on_checked(before + done)
