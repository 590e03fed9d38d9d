"""From an error in a text to the rule, the line in the user's source, the reason and the fix.

An error that was pasted is made into what an export in the worker would have reported of it, and from there on goes the
way of every export: the same sentence, the same findings that are asked for the line, the same rule and fix.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exportdb_rules.disk import read_bytes
from exportdb_rules.export_calls import export_calls, exported
from exportdb_rules.finding import Mode
from exportdb_rules.project import Project
from exportdb_rules.source import split_lines

from exportdb_lsp.confirm import messages
from exportdb_lsp.confirm.blame import joined
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import ExportResult, Frame, Outcome
from exportdb_lsp.explain.errors import Line, TorchError, read_errors
from exportdb_lsp.explain.log import plain_lines
from exportdb_lsp.links import case_page, graph_break_page
from exportdb_lsp.settings import project_root
from exportdb_lsp.worker.torch_text import graph_break, hints, linked_case, suggested

if TYPE_CHECKING:
    from collections.abc import Mapping

# Of a file that changed since: how far from the row of the text its line is looked for.
_NEAR = 200


@dataclass(frozen=True)
class Explanation:
    """What is known of one error. `result` is the form that exports have; there, `frame` is the line to look at."""

    result: ExportResult
    caller: Frame | None
    """The call of torch.export that failed, where the text shows it."""
    here: bool
    """The file of the line was found here, and has that line."""

    def to_json(self) -> dict[str, Any]:
        """One object of `explain --output-format json`; keys that results of exports have mean the same here."""
        result, frame = self.result, self.result.frame
        return {
            "message": result.message,
            "exception": result.exception,
            "mode": result.mode.value,
            "filename": frame.filename if frame else None,
            "row": frame.row if frame else None,
            "code": frame.code if frame else None,
            "found": self.here,
            "blamed": result.blamed,
            "frames": [f.to_json() for f in result.frames],
            "call": self.caller.to_json() if self.caller else None,
            "rule": result.rule.to_json() if result.rule else None,
            "graph_break_id": result.graph_break_id,
            "graph_break_url": graph_break_page(result.graph_break_id) if result.graph_break_id else None,
            "case": result.case,
            "case_url": case_page(result.case) if result.case else None,
            "hints": list(result.hints),
            "suggested_fixes": dict(result.suggested_fixes),
            "detail": result.detail,
        }


def explain(
    text: str, folder: Path, interpreter: str, documents: Mapping[str, str] | None = None
) -> tuple[Explanation, ...]:
    """Explain every failure of torch.export in a text: a traceback, a log, a report of draft_export or tlparse.

    Nothing is run. Files that the text names are read, where they exist; those of another machine are looked for below
    `folder` by the end of their path.

    Args:
        text: the text, with whatever a terminal or a host of CI put around it.
        folder: the folder that the user works in.
        interpreter: the Python whose packages the analysis may look up; it is not started.
        documents: unsaved texts of the editor by absolute path, which come before the disk.
    """
    place = _Places(folder, dict(documents or {}))
    return tuple(_explained(error, place, interpreter) for error in read_errors(plain_lines(text)))


def _explained(error: TorchError, places: _Places, interpreter: str) -> Explanation:
    frames = tuple(places.frame(line) for line in error.frames)
    caller = places.frame(error.caller) if error.caller else None
    known = graph_break(error.text, {})
    failure: dict[str, Any] = {
        "detail": error.text,
        "exception": error.exception,
        "violation": "Constraints violated" in error.text,
        "frames": [frame.to_json() for frame in frames],
        "suggested_fixes": suggested(error.text),
    }
    inner = next((f for f in reversed(frames) if f.project), frames[-1] if frames else None)
    statement = None
    if inner is not None:
        known_text = places.text(inner.filename) if places.has(inner) else None
        statement = messages.failing_statement(known_text, inner.row, inner.code)
    start = inner or caller
    request = ExportRequest(
        filename=start.filename if start else str(places.folder / "-"),
        root=project_root(Path(start.filename)) if start and places.has(start) else places.folder,
        interpreter=interpreter,
        documents=places.documents,
    )
    result = ExportResult(
        target=_exported_class(request, caller, places),
        filename=request.filename,
        mode=Mode.STRICT if error.strict else Mode.NON_STRICT,
        outcome=Outcome.FAILS,
        message=messages.describe_failure(failure, statement),
        exception=error.exception,
        detail=error.text,
        frames=frames,
        graph_break_id=known[0] if known else None,
        hints=tuple(hints({}, error.text)),
        case=linked_case(error.text),
        suggested_fixes=failure["suggested_fixes"],
    )
    readable = start is not None and places.has(start)
    result = joined(result, request, places.text(request.filename) or "" if readable else "")
    # What check says of lines that the export did not reach is not what was asked.
    result = replace(result, failures=())
    if result.frame is None and caller is not None:
        result = replace(result, frames=(caller,))
    return Explanation(result, caller, result.frame is not None and places.has(result.frame))


def _exported_class(request: ExportRequest, caller: Frame | None, places: _Places) -> str:
    """The class whose object the failing call exports; empty where that is not known."""
    if caller is None or not places.has(caller):
        return ""
    with suppress(Exception):  # what cannot be read has no name
        project = Project(request.root)
        for name, text in places.documents.items():
            project.set_text(name, text)
        module = project.module(caller.filename)
        for call in export_calls(module) if module is not None else ():
            if call.node.lineno <= caller.row <= (call.node.end_lineno or call.node.lineno):
                found = exported(call.scope, call.model)
                return found.name if found is not None else ""
    return ""


class _Places:
    """The files of a text, as far as they are here."""

    def __init__(self, folder: Path, documents: dict[str, str]) -> None:
        self.folder = folder
        self.documents = documents
        self._texts: dict[str, str | None] = {}
        self._names: dict[str, str] = {}

    def text(self, filename: str) -> str | None:
        """A file: of the editor, else of the disk; None where it cannot be read."""
        if filename in self.documents:
            return self.documents[filename]
        if filename not in self._texts:
            self._texts[filename] = None
            with suppress(OSError, UnicodeDecodeError, ValueError):
                self._texts[filename] = read_bytes(filename).decode("utf-8")
        return self._texts[filename]

    def has(self, frame: Frame) -> bool:
        """Whether the file of a frame is here and has that row."""
        text = self.text(frame.filename)
        return text is not None and 0 < frame.row <= len(split_lines(text))

    def frame(self, line: Line) -> Frame:
        """A frame of the text as one of this machine: its file, and the row that the line has in it now."""
        filename = self._find(line.path)
        text = self.text(filename)
        row, code = line.row, line.code
        if text is not None:
            lines = split_lines(text)
            row = _row_now(lines, line.row, line.code)
            code = code or (lines[row - 1].strip() if 0 < row <= len(lines) else "")
        return Frame(filename, row, code, line.function, project=not line.installed)

    def _find(self, path: str) -> str:
        if path not in self._names:
            self._names[path] = self._found(path)
        return self._names[path]

    def _found(self, path: str) -> str:
        if os.path.isabs(path) and self.text(path) is not None:
            return path
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        for folder in dict.fromkeys((self.folder, project_root(self.folder))):
            for first in range(len(parts)):
                name = str(folder.joinpath(*parts[first:]))
                if self.text(name) is not None:
                    return name
        return path


def _row_now(lines: list[str], row: int, code: str) -> int:
    """The row that a line has after edits above it: the nearest one with the same code, else the old one."""
    if not code or (0 < row <= len(lines) and lines[row - 1].strip() == code):
        return row
    same = [number for number, line in enumerate(lines, 1) if line.strip() == code and abs(number - row) <= _NEAR]
    return min(same, key=lambda number: abs(number - row), default=row)
