"""Calls of torch.export that `exportdb-lsp run` has watched, kept for check, export and the editor.

One file in the user's cache folder for each file that defines an exported class. A call counts for as long as the
parameters of the class's `forward` are those that it was made with. Everything here is a convenience: whatever goes
wrong with it, work goes on as if nothing had been recorded.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules.declared import Declared
from exportdb_rules.disk import read_bytes

from exportdb_lsp.confirm.syntax import parsed
from exportdb_lsp.files.rewriting import FileError, read_text_file, replace_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from exportdb_lsp.confirm.watched import Watched

FORMAT: Final = 1
# Of one file, and of files that are looked at; and the size in bytes of one that is read.
MAX_CALLS, MAX_FILES, MAX_BYTES = 20, 500, 1_000_000


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
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("exportdb-lsp", appauthor=False)) / "recorded"


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
        known = [old for old in _read(_path(filename)) if all(_identity(old) != _identity(call) for call in new)]
        content = {"format": FORMAT, "filename": filename, "calls": [*new, *known][:MAX_CALLS]}
        with contextlib.suppress(OSError):
            folder().mkdir(parents=True, exist_ok=True)
            replace_atomically(_path(filename), json.dumps(content).encode())
    return sum(map(len, by_file.values()))


def of_file(filename: str, text: str) -> tuple[RecordedCall, ...]:
    """The calls that export a class of a file, and still fit its text; the newest first."""
    found: list[RecordedCall] = []
    for call in _read(_path(os.path.abspath(filename))):
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
    for filename in _files(root):
        for call in of_file(filename, _text(filename)):
            found.setdefault((filename, call.entry), call.declared)
    return tuple(found.values())


def _files(root: Path) -> Iterator[str]:
    inside = str(root) + os.sep
    try:
        entries = sorted(entry.path for entry in os.scandir(folder()) if entry.name.endswith(".json"))
    except OSError:
        return
    for path in entries[:MAX_FILES]:
        filename = _content(Path(path)).get("filename")
        if isinstance(filename, str) and filename.startswith(inside):
            yield filename


def _path(filename: str) -> Path:
    return folder() / (hashlib.sha256(filename.encode()).hexdigest()[:32] + ".json")


def _content(path: Path) -> dict[str, Any]:
    try:
        content: object = json.loads(read_bytes(path, MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict):
        return {}
    table = cast("dict[str, Any]", content)
    return table if table.get("format") == FORMAT else {}


def _read(path: Path) -> list[dict[str, Any]]:
    calls = _content(path).get("calls")
    if not isinstance(calls, list):
        return []
    return [cast("dict[str, Any]", call) for call in cast("list[object]", calls) if isinstance(call, dict)]


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
