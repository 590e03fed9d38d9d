"""Verdicts of the command line, kept for `check` for as long as the files that they speak of do not change.

They are kept with every file that they speak of. Everything here is a convenience: whatever goes wrong with it, work goes
on as if nothing had been kept.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from exportdb_rules.disk import read_bytes
from exportdb_rules.finding import Mode
from exportdb_rules.project import digest_of

from exportdb_lsp.confirm.confirmation import ExportVerdict
from exportdb_lsp.confirm.remembered import Memory
from exportdb_lsp.confirm.result import (
    DimensionOutcome,
    ExportResult,
    Failure,
    Frame,
    InputOrigin,
    Inputs,
    Outcome,
    RuleNote,
    Traced,
)
from exportdb_lsp.files.notebook import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MEMORY: Final = Memory("verdicts", "verdicts", version=1, most=40)
_OUTCOMES: Final = (Outcome.OK, Outcome.FAILS, Outcome.DIVERGES, Outcome.SPECIALIZES)
_KEYS: Final = (
    "target", "filename", "mode", "outcome", "message", "torch", "exception", "detail", "frames", "failures",
    "graph_break_id", "inputs", "dimensions", "traced", "rule", "call",
)  # fmt: skip
# Of torch's own text, in characters.
_LONGEST_DETAIL: Final = 2000


def digest(filename: str) -> str | None:
    """The digest of a file as it is on the disk; None if it cannot be read."""
    try:
        return digest_of(read_bytes(filename))
    except (OSError, ValueError):
        return None


def keep(results: Iterable[ExportResult], since: float) -> None:
    """Keep what was learnt of models, in place of what was known of the same targets.

    Args:
        results: those of notebooks, whose lines are counted in cells, are left out.
        since: when the work began (`time.time()`); what speaks of a file that was written after that is left out.
    """

    def unchanged(filename: str) -> str | None:
        with contextlib.suppress(OSError):
            return digest(filename) if os.stat(filename).st_mtime <= since else None
        return None

    by_file: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        if result.outcome not in _OUTCOMES or result.of_tool or result.filename.endswith(SUFFIX):
            continue
        verdict = ExportVerdict.of(result, unchanged)
        if any(text is None for _, text in verdict.texts):
            continue
        told = {**result.to_json(), "detail": result.detail[:_LONGEST_DETAIL]}
        entry = {"texts": [list(text) for text in verdict.texts], "result": {key: told[key] for key in _KEYS}}
        for filename, _ in verdict.texts:
            by_file.setdefault(filename, []).append(entry)
    for filename, new in by_file.items():
        names = {_identity(entry) for entry in new}
        _MEMORY.write(filename, [*new, *(old for old in _MEMORY.read(filename) if _identity(old) not in names)])


def of_file(filename: str, digest: Callable[[str], str | None] = digest) -> list[ExportVerdict]:
    """The verdicts that speak of a file, as far as every text that they are about still stands."""
    found: list[ExportVerdict] = []
    for entry in _MEMORY.read(filename):
        with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
            texts = tuple((str(name), str(text)) for name, text in entry["texts"])
            verdict = ExportVerdict(_result(entry["result"]), texts)
            if verdict.current(digest):
                found.append(verdict)
    return found


def _identity(entry: Mapping[str, Any]) -> tuple[str, ...]:
    result: Any = entry.get("result")
    keys = ("filename", "target", "mode", "call")
    return tuple(str(result.get(key)) for key in keys) if isinstance(result, dict) else ()  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _result(value: Mapping[str, Any]) -> ExportResult:
    """The result, as much of it as is kept. Raises KeyError, TypeError or ValueError where it is none."""
    inputs, rule = value["inputs"], value["rule"]
    return ExportResult(
        target=str(value["target"]),
        filename=str(value["filename"]),
        mode=Mode(value["mode"]),
        outcome=Outcome(value["outcome"]),
        message=str(value["message"]),
        torch=str(value["torch"]),
        exception=value["exception"],
        detail=str(value["detail"]),
        frames=_frames(value["frames"]),
        failures=tuple(
            Failure(
                str(one["message"]),
                str(one["exception"]),
                _frames(one["frames"]),
                bool(one["reached"]),
                str(one["code"] or ""),
            )
            for one in value["failures"]
        ),
        graph_break_id=value["graph_break_id"],
        inputs=None if inputs is None else Inputs(**{**inputs, "source": InputOrigin(inputs["source"])}),
        dimensions=tuple(
            DimensionOutcome(str(one["input"]), int(one["axis"]), int(one["size"]), bool(one["dynamic"]))
            for one in value["dimensions"]
        ),
        traced=tuple(
            Traced(str(one["filename"]), int(one["row"]), str(one["name"]), str(one["shape"]), str(one["dtype"]))
            for one in value["traced"]
        ),
        rule=None if rule is None else RuleNote(str(rule["code"]), str(rule["name"]), str(rule["url"])),
        call=str(value["call"] or ""),
    )


def _frames(value: Iterable[Mapping[str, Any]]) -> tuple[Frame, ...]:
    return tuple(
        Frame(str(one["filename"]), int(one["row"]), str(one["code"]), str(one["function"]), bool(one["project"]))
        for one in value
    )
