"""Exporting every module class below a folder, several at once where that is asked for."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_rules.finding import Mode, Problem

from exportdb_lsp import __version__
from exportdb_lsp.confirm import targets
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.files.rewriting import FileError, read_text_file
from exportdb_lsp.files.walk import find_files
from exportdb_lsp.survey.rows import Row, Setting, basis_of, row_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from exportdb_lsp.confirm.request import ExportRequest
    from exportdb_lsp.confirm.result import ExportResult


@dataclass(frozen=True, slots=True)
class SurveyedClass:
    """A class that is to be exported; `filename` is relative to the folder."""

    filename: str
    name: str
    row: int


@dataclass(frozen=True, slots=True)
class SurveyPlan:
    """What there is to do below a folder."""

    folder: Path
    subjects: tuple[SurveyedClass, ...]
    basis: str
    problems: tuple[Problem, ...]


def plan(folder: Path, torch: str) -> SurveyPlan:
    """The module classes below a folder, read from the texts. Classes whose base classes come from other files are taken
    for modules where they define `forward`."""
    problems: list[Problem] = []
    subjects: list[SurveyedClass] = []
    texts: list[str] = []
    for path in find_files([str(folder)], problems):
        name = path.relative_to(folder).as_posix()
        try:
            text = read_text_file(path).text
            found = targets.find(text, str(path))
        except FileError as error:
            problems.append(Problem(str(path), str(error)))
            continue
        except (SyntaxError, ValueError) as error:
            problems.append(Problem(str(path), f"cannot be parsed: {error}"))
            continue
        texts += (name, text)
        subjects += [SurveyedClass(name, one.name, one.span.start.row) for one in found if one.kind == "class"]
    return SurveyPlan(folder, tuple(subjects), basis_of(texts, (torch, __version__)), tuple(problems))


def left_to_do(plan: SurveyPlan, known: Collection[Row], goals: Collection[str] = ()) -> list[SurveyedClass]:
    """The classes that no row is known of, or that ran and have no verdict for one of the goals."""
    have: dict[tuple[str, str], set[Setting]] = {}
    for row in known:
        settings = have.setdefault((row.filename, row.name), set())
        if row.outcome is not Outcome.NO_TOOLS:
            settings.add(row.setting)
        if row.setting is Setting.NON_STRICT and row.outcome.untried:
            settings.update(Setting)  # nor will it be tried for any goal
    wanted = {Setting(goal) for goal in goals}
    return [
        subject
        for subject in plan.subjects
        if (settings := have.get((subject.filename, subject.name))) is None or wanted - settings
    ]


def survey(
    plan: SurveyPlan,
    request: ExportRequest,
    known: Collection[Row],
    *,
    jobs: int = 1,
    on_begin: Callable[[SurveyedClass], None] = lambda _: None,
    on_result: Callable[[SurveyedClass, Setting, ExportResult], None] | None = None,
) -> Iterator[tuple[Row, ...]]:
    """Export what no row is known of: the rows of one class after the other, as they come in.

    Each class is exported in processes of its own, within the request's bounds of time and memory. `request` says which
    interpreter, and what belongs to the project.

    Raises:
        RequestError: nothing can be exported with this interpreter.
    """
    left = left_to_do(plan, known, request.goals)
    confirmers = ThreadConfirmers()

    def work(subject: SurveyedClass) -> tuple[Row, ...]:
        on_begin(subject)
        return tuple(rows_of(confirmers.get(), plan, subject, request, on_result))

    pool = ThreadPoolExecutor(jobs)
    try:
        for done in as_completed([pool.submit(work, subject) for subject in left]):
            yield done.result()
    finally:
        # Nothing may begin once the confirmers are closed: it would get a new one.
        pool.shutdown(wait=False, cancel_futures=True)
        confirmers.close()
        pool.shutdown()


class ThreadConfirmers:
    """A confirmer for each thread that asks for one: a confirmer runs one export at a time."""

    def __init__(self) -> None:
        self._of_thread = threading.local()
        self._open: list[Confirmer] = []

    def get(self) -> Confirmer:
        """The calling thread's."""
        confirmer: Confirmer | None = getattr(self._of_thread, "confirmer", None)
        if confirmer is None:
            confirmer = self._of_thread.confirmer = Confirmer()
            self._open.append(confirmer)
        return confirmer

    def close(self) -> None:
        """End all exports, of every thread. A thread that asks again gets a new confirmer."""
        self._of_thread = threading.local()
        while self._open:
            self._open.pop().close()


def rows_of(
    confirmer: Confirmer,
    plan: SurveyPlan,
    subject: SurveyedClass,
    request: ExportRequest,
    on_result: Callable[[SurveyedClass, Setting, ExportResult], None] | None = None,
) -> Iterator[Row]:
    """Of one class. What cannot be built, or does not run, is not asked for again, nor what fails in non-strict with `Dim.AUTO`."""
    asked = replace(
        request,
        filename=str(plan.folder / subject.filename),
        name=subject.name,
        goals=(),
        own_mode=False,
        propose=False,
    )

    def row(asked: ExportRequest, setting: Setting) -> Row:
        # A class that the project exports at several places has a result for each: what fails anywhere, fails.
        results = confirmer.run(asked)
        worst = next((one for one in results if one.outcome is not Outcome.OK), results[0])
        if on_result is not None:
            on_result(subject, setting, worst)
        return row_of(worst, setting, plan.folder, subject.filename, subject.row, plan.basis)

    first = row(replace(asked, modes=(Mode.NON_STRICT,)), Setting.NON_STRICT)
    yield first
    if first.outcome.untried:
        return
    yield row(replace(asked, modes=(Mode.STRICT,)), Setting.STRICT)
    if first.outcome in (Outcome.OK, Outcome.SPECIALIZES):
        yield row(replace(asked, modes=(Mode.NON_STRICT,), dynamic="auto"), Setting.AUTO)
    for goal in request.goals:
        yield row(replace(asked, modes=(Mode.NON_STRICT,), goals=(goal,)), Setting(goal))
