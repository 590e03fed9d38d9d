"""The classes of a survey exported by the workers of a Dask cluster."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from exportdb_lsp.confirm.confirmer import RequestError
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.interpreter import torch_version
from exportdb_lsp.survey.rows import Row, Setting
from exportdb_lsp.survey.surveying import SurveyedClass, ThreadConfirmers, left_to_do, plan, rows_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from exportdb_lsp.confirm.request import ExportRequest
    from exportdb_lsp.survey.surveying import SurveyPlan

# Seconds until a scheduler has to answer.
PATIENCE = 15.0


class ClusterError(Exception):
    """The cluster cannot be used; the message says why."""


def survey_on(
    scheduler: str, plan: SurveyPlan, request: ExportRequest, known: Collection[Row]
) -> Iterator[tuple[Row, ...]]:
    """Export what no row is known of on a cluster: the rows of one class after the other, as they come in.

    The workers need the same folder, interpreter and version of this program at the same paths. Each runs as many exports
    at a time as it has threads. A class whose worker is lost is exported by another one; one that loses several workers has
    a row that says so. Surveys of the same sources with the same limits share their work: the key of a class says what its rows depend on.

    Raises:
        ClusterError: the extra is not installed, or there is no such scheduler.
        RequestError: nothing can be exported with this interpreter.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise ClusterError(
            f"--scheduler requires the package distributed ({error.name} is missing): pip install 'exportdb-lsp[cluster]'"
        ) from error
    try:
        client: Any = distributed.Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ClusterError(f"{scheduler}: no Dask scheduler answers: {reason}") from error
    try:
        limits = hashlib.sha256(repr((request, plan.folder)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        futures = {
            client.submit(
                export_one,
                plan.folder,
                plan.basis,
                subject,
                request,
                key=f"exportdb-lsp-{plan.basis}-{limits}-{subject.filename}::{subject.name}:{subject.row}",
            ): subject
            for subject in left_to_do(plan, known, request.goals)
        }
        for future in distributed.as_completed(list(futures), loop=client.loop):
            try:
                yield future.result()
            except distributed.KilledWorker as error:
                yield (_lost(plan, futures[future], error),)
    finally:
        with suppress(Exception):
            client.run(close)
        client.close()


def _lost(plan: SurveyPlan, subject: SurveyedClass, error: Exception) -> Row:
    return Row(
        filename=subject.filename,
        name=subject.name,
        row=subject.row,
        setting=Setting.NON_STRICT,
        outcome=Outcome.CRASH,
        message=f"the workers that exported it were lost: {str(error).splitlines()[0]}",
        basis=plan.basis,
    )


# What follows runs on the workers.

_confirmers = ThreadConfirmers()


def export_one(folder: Path, basis: str, subject: SurveyedClass, request: ExportRequest) -> tuple[Row, ...]:
    """The rows of one class.

    Raises:
        RequestError: the worker has other sources or versions than the survey, or cannot export.
    """
    planned = _planned(folder, request.interpreter)
    if planned is None or planned.basis != basis:
        import socket

        raise RequestError(
            f"{socket.gethostname()}: {folder}: other sources, or another version of torch or exportdb-lsp"
        )
    return tuple(rows_of(_confirmers.get(), planned, subject, request))


@lru_cache(maxsize=1)
def _planned(folder: Path, interpreter: str) -> SurveyPlan | None:
    torch = torch_version(interpreter)
    return plan(folder, torch) if torch is not None and folder.is_dir() else None


def close() -> None:
    """End what a worker runs for surveys. The next one reads the sources anew."""
    _confirmers.close()
    _planned.cache_clear()
