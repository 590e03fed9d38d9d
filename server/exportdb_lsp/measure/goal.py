"""What becomes of the cases on the way to a goal: the goal's own tool takes them, in the worker, as `export --to` has it."""

from __future__ import annotations

import platform
import re
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_cases.support_file import Record, SupportFile
from exportdb_rules.finding import Verdict

from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.measure.run import MeasureError, Progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from exportdb_lsp.confirm.result import ExportResult
    from exportdb_lsp.measure.run import MeasureRequest

_VERDICTS = {verdict.value for verdict in Verdict}
# Another one in each run.
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def measure_goal(
    request: MeasureRequest, goal: str, *, on_progress: Callable[[Progress], None] | None = None
) -> SupportFile:
    """Take every case to a goal and return what happened.

    Raises:
        MeasureError: the goal's tools are not installed, or the interpreter has no torch.
    """
    records: dict[str, dict[str, Record]] = {}
    torch = ""
    total, done = len(request.cases) * len(request.modes), 0
    confirmer = Confirmer()
    try:
        for case in request.cases:
            asked = ExportRequest(
                str(case.path),
                name="model",
                modes=request.modes,
                goals=(goal,),
                interpreter=request.interpreter,
                root=case.path.parent,
                timeout=request.timeout,
                draft=False,
                findings=False,
            )
            for result in confirmer.run(asked):
                if result.outcome is Outcome.NO_TOOLS:
                    raise MeasureError(result.message)
                done += 1
                torch = torch or result.torch
                record = records.setdefault(case.name, {})[result.mode.value] = _record(result, case.path)
                if on_progress is not None:
                    on_progress(Progress(done, total, case.name, result.mode, record))
    finally:
        confirmer.close()
    if not torch:
        raise MeasureError(f"{request.interpreter} could not measure anything")
    python = ".".join(platform.python_version_tuple()[:2])
    fingerprints = {case.name: case.fingerprint for case in request.cases}
    return SupportFile(torch.partition("+")[0], python, records, fingerprints)


def _record(result: ExportResult, path: Path) -> Record:
    message = _ADDRESS.sub("", result.message.split("\n", 1)[0]) or None
    if result.outcome.value not in _VERDICTS:
        return Record(None, error=message)
    if result.outcome is Outcome.OK:
        return Record(Verdict.OK.value)
    here = result.frame is not None and Path(result.frame.filename) == path
    return Record(
        result.outcome.value,
        exception=result.exception,
        message=message,
        line=result.frame.row if here and result.frame is not None else None,
        frozen=True if any(not dimension.dynamic for dimension in result.dimensions) else None,
    )
