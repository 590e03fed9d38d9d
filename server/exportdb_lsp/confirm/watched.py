"""From what the worker saw of watched calls to their results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from exportdb_rules.disk import read_bytes
from exportdb_rules.finding import Mode

from exportdb_lsp.confirm.joining import Joining
from exportdb_lsp.confirm.result import ExportResult, Outcome
from exportdb_lsp.confirm.verdict import ResultBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exportdb_lsp.confirm.request import ExportRequest


@dataclass
class Watched:
    """One call of a program, with what is known of it so far."""

    filename: str
    row: int
    model: str
    api: str
    record: dict[str, Any]
    runs: dict[tuple[str, str], ResultBuilder]
    """By mode and goal."""
    ended: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict[tuple[str, str], dict[str, Any]])
    made: dict[str, Any] | None = None


class WatchedCalls:
    """Collects the parts of all calls of one program, in the order in which the program made them.

    `request` has the texts and the limits; the file of a call may be another than its `filename`. `torch` is the
    version that the worker gave, '' where each call says it.
    """

    def __init__(self, request: ExportRequest, text: str, *, torch: str = "") -> None:
        self._request = request
        self._texts = dict(request.documents)
        if text:
            self._texts[request.filename] = text
        self._torch = torch
        self._joining = Joining()
        self.calls: dict[str, Watched] = {}
        self.passed: set[int] = set()
        """The rows of calls that were reached and export no model."""
        self.left: dict[str, Any] | None = None
        """How the program ended, where it came to its end."""

    def add(self, part: dict[str, Any]) -> None:
        """One part from the worker."""
        key = part.get("call")
        if part["part"] == "left":
            self.left = part
        if part["part"] == "passed":
            self.passed.add(part["row"])
        if key is None:
            return
        if part["part"] == "call":
            self._begin(key, part)
            return
        call = self.calls.get(key)
        if call is None:
            return
        if part["part"] == "made":
            call.made = part
            return
        run = (part["mode"], part["goal"])
        if part["part"] == "ended":
            call.ended[run] = part
        elif run in call.runs:
            call.runs[run].add(part)

    def _begin(self, key: str, part: dict[str, Any]) -> None:
        filename = part["filename"]
        request = replace(self._request, filename=filename, dynamic="given")
        text = self._text(filename)
        runs = {
            (mode, goal): ResultBuilder(request, part["model"], Mode(mode), text, goal) for mode, goal in part["runs"]
        }
        for builder in runs.values():
            builder.torch = self._torch
            builder.own_call = True
        self.calls[key] = Watched(filename, part["row"], part["model"], part["api"], part["record"], runs)

    def _text(self, filename: str) -> str:
        if filename not in self._texts:
            try:
                self._texts[filename] = read_bytes(filename).decode("utf-8")
            except (OSError, UnicodeDecodeError):
                self._texts[filename] = ""
        return self._texts[filename]

    def results(self, ended: Mapping[str, Any]) -> list[ExportResult]:
        """A result for each call, mode and goal; `ended` is how the whole program ended, for a call that it took along."""
        return [self._result(call, run, ended) for call in self.calls.values() for run in call.runs]

    def _result(self, call: Watched, run: tuple[str, str], ended: Mapping[str, Any]) -> ExportResult:
        builder = call.runs[run]
        how = call.ended.get(run, ended if ended["how"] != "done" else {"how": "exit", "code": 0})
        result = builder.result({"seconds": 0.0, **how})
        if call.made is not None:
            result = _as_made(result, call.made)
        result = replace(result, call=f"{call.filename}:{call.row}")
        return self._joining.joined(result, replace(self._request, filename=call.filename), self._text(call.filename))


def _as_made(result: ExportResult, made: Mapping[str, Any]) -> ExportResult:
    """The verdict on the program's own call, whatever a repetition of it gave."""
    failed = result.outcome is Outcome.FAILS
    if made["raised"] and not failed:
        first = (made["detail"].strip().splitlines() or [""])[0]
        message = f"the call raises {made['exception']}: {first}"
        return replace(
            result, outcome=Outcome.FAILS, message=message, exception=made["exception"], detail=made["detail"]
        )
    if not made["raised"] and failed and not result.operator:
        message = f"the call returned a program, but raises when repeated: {result.message}"
        return replace(result, outcome=Outcome.CRASH, message=message)
    return result
