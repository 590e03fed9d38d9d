"""Calls of torch.export that `exportdb-lsp run` has watched, kept for check, export and the editor.

They are remembered of the file that defines the exported class. A call counts for as long as the
parameters of the class's `forward` are those that it was made with. Everything here is a convenience: whatever goes
wrong with it, work goes on as if nothing had been recorded.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules.declared import Declared

from exportdb_lsp.confirm.remembered import Memory
from exportdb_lsp.confirm.syntax import parsed
from exportdb_lsp.files.rewriting import FileError, read_text_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_lsp.confirm.watched import Watched

_MEMORY: Final = Memory("recorded", "calls", version=1, most=20)


@dataclass(frozen=True)
class RecordedCall:
    """One call. `folder`, `script`, `is_module` and `arguments` are the program that made it, at `row` of `filename`."""

    entry: str
    declared: Declared
    filename: str
    row: int
    folder: str
    script: str
    is_module: bool
    arguments: tuple[str, ...]


def folder() -> Path:
    """Where recordings are kept."""
    return _MEMORY.folder()


def stamp() -> float:
    """Changes when a recording is added; 0 where there is none."""
    try:
        return folder().stat().st_mtime
    except OSError:
        return 0.0


def keep(calls: Sequence[Watched], script: str, arguments: Sequence[str], *, is_module: bool) -> int:
    """Record calls of a program that ran in the current folder, the last of each class and line; how many were new.

    Classes of installed packages are not recorded: nobody edits them.
    """
    by_file: dict[str, list[dict[str, Any]]] = {}
    program = {
        "script": script if is_module else os.path.abspath(script),
        "module": is_module,
        "arguments": list(arguments),
        "folder": os.getcwd(),
    }
    for call in calls:
        source = call.record.get("class_file")
        if not isinstance(source, str) or "site-packages" in source:
            continue
        filename = os.path.abspath(source)
        signature = _signature(_text(filename), call.record["class"])
        if signature is None:
            continue
        entry = {key: call.record[key] for key in ("class", "args", "kwargs", "dynamic", "strict")}
        place = {"filename": call.filename, "row": call.row}
        by_file.setdefault(filename, []).append(
            {**entry, "filename": filename, "signature": signature, "program": program, "call": place}
        )
    for filename, new in by_file.items():
        known = [old for old in _MEMORY.read(filename) if all(_identity(old) != _identity(call) for call in new)]
        _MEMORY.write(filename, [*new, *known])
    return sum(map(len, by_file.values()))


def of_file(filename: str, text: str) -> tuple[RecordedCall, ...]:
    """The calls that export a class of a file, and still fit its text; the newest first."""
    found: list[RecordedCall] = []
    for call in _MEMORY.read(os.path.abspath(filename)):
        with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
            if _signature(text, call["class"]) == call["signature"]:
                program, place = call["program"], call["call"]
                found.append(
                    RecordedCall(
                        call["class"],
                        Declared.from_json(call),
                        str(place["filename"]),
                        int(place["row"]),
                        str(program["folder"]),
                        str(program["script"]),
                        bool(program["module"]),
                        tuple(map(str, program["arguments"])),
                    )
                )
    return tuple(found)


def declared(root: Path) -> tuple[Declared, ...]:
    """What the recorded calls declare of the classes below a folder, the newest call of each class."""
    found: dict[tuple[str, str], Declared] = {}
    for filename in _MEMORY.filenames(root):
        for call in of_file(filename, _text(filename)):
            found.setdefault((filename, call.entry), call.declared)
    return tuple(found.values())


def _identity(call: dict[str, Any]) -> str:
    return json.dumps([call.get("class"), call.get("call"), call.get("program")], sort_keys=True)


def _text(filename: str) -> str:
    try:
        return read_text_file(Path(filename)).text
    except FileError:
        return ""


def _signature(text: str, qualified: str) -> str | None:
    """The parameters of the `forward` of a class, by its qualified name; None where the text has no such class."""
    try:
        body: list[ast.stmt] = parsed(text).body
    except SyntaxError:
        return None
    node: ast.stmt | None = None
    for name in qualified.replace(".<locals>", "").split("."):
        kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        node = next((one for one in reversed(body) if isinstance(one, kinds) and one.name == name), None)
        if node is None:
            return None
        body = cast("ast.ClassDef", node).body
    forward = next((one for one in body if isinstance(one, ast.FunctionDef) and one.name == "forward"), None)
    return ast.unparse(forward.args) if forward is not None else ""
