"""What a failed export says: line, graph-break id, ExportDB case, suggested sizes."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import json
import os
import re
from typing import Any

from .shapes import Watch
from .stack import Frame, Users, chain, describe

_GRAPH_BREAK = re.compile(r"\bGB\d{4}\b", re.IGNORECASE)
_CASE_LINK = re.compile(r"exportdb/(?:index\.html#|[\w/]*?#?)([a-z0-9][a-z0-9-]+)")
_SUGGESTED = re.compile(r"^\s{2,}([A-Za-z_]\w*) = (\S.*)$", re.MULTILINE)
# Up to here torch's text is about the failure; what follows is advice on export() itself.
_ADVICE = re.compile(r"\n+The error above occurred when calling torch\.export\.export\..*", re.DOTALL)

# torch prints the line under these words in messages whose traceback stops inside of torch.
_STACK_MARKS = ("from user code:", "The following call raised this error:", "Original traceback:", "User Stack")


def registry(torch: Any) -> dict[str, Any]:
    """Graph breaks by id, as the installed torch explains them; empty where it has no such file."""
    path = os.path.join(os.path.dirname(torch.__file__), "_dynamo", "graph_break_registry.json")
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def analyse(error: BaseException, strict: bool, users: Users, torch: Any, watch: Watch | None) -> dict[str, Any]:
    """The report of an export that raised `error`."""
    text = _ADVICE.sub("", describe(error)).strip()
    violation = "Constraints violated" in text or any(
        type(e).__name__ == "ConstraintViolationError" for e in chain(error)
    )
    frames = locate(error, text, strict, users)
    cause: list[Frame] = []
    if watch is not None and violation:
        blamed = watch.blame(text)
        frames = blamed or frames
    elif watch is not None:
        cause = watch.created(text)
    entry = _graph_break(text, registry(torch))
    return {
        "exception": type(error).__name__,
        "detail": text,
        "frames": frames,
        "origin": cause,
        "violation": violation,
        "graph_break_id": entry[0] if entry else None,
        "hints": _hints(entry[1], text) if entry else _hints({}, text),
        "case": _case(error, text),
        "suggested_fixes": _suggested(text),
    }


def locate(error: BaseException, text: str, strict: bool, users: Users) -> list[Frame]:
    """The user's stack at the failure.

    Non-strict runs the user's code, so the traceback goes through it. Strict interprets it: the traceback stays in
    Dynamo, and the stack hangs on the exception as `real_stack`. A failure after tracing has neither, and torch
    prints the stack of the graph node into the message.
    """
    raised = [frames for frames in (users.raised(e) for e in chain(error)) if frames]
    stacks = [getattr(e, "real_stack", None) for e in chain(error)]
    real = [frames for frames in (users.summaries(stack) for stack in stacks if stack) if frames]
    if raised and real and not strict:
        # torch.cond hands its branches to Dynamo in non-strict too: the traceback ends at the call, the stack within.
        raised = [raised[0] + [frame for frame in real[0] if frame not in raised[0]]]
    ordered = real[:1] + raised[:1] if strict else raised[:1] + real[:1]
    printed: list[Frame] = []
    for mark in _STACK_MARKS:
        if mark in text:
            printed = users.written(text.split(mark, 1)[1])
        if printed:
            break
    if not printed:
        notes = "\n".join(str(argument) for e in chain(error) for argument in e.args if isinstance(argument, str))
        printed = users.written(notes)
    if isinstance(error, SyntaxError) and error.filename:
        frame = users.frame(error.filename, error.lineno or 1)
        return [frame] if frame else []
    return next((frames for frames in [*ordered, printed] if frames), [])


def _graph_break(text: str, known: dict[str, Any]) -> Any:
    match = _GRAPH_BREAK.search(text)
    if match:
        name = match[0].upper()
        entries = known.get(name) or [{}]
        return name, entries[-1]
    lines = {line.strip() for line in text.splitlines()[:12]}
    for name, entries in known.items():
        if entries and entries[-1].get("Gb_type", "").strip() in lines:
            return name, entries[-1]
    return None


def _hints(entry: dict[str, Any], text: str) -> list[str]:
    written = re.findall(r"^\s*Hint: (.+)$", text, re.MULTILINE)
    numbered = []
    if "To fix the error, insert one of the following checks" in text:
        numbered = re.findall(r"^\s*\d+\. (torch\._check.+)$", text, re.MULTILINE)
    hints = [*written, *numbered] or [str(hint) for hint in entry.get("Hints", [])]
    return list(dict.fromkeys(hint.strip() for hint in hints))


def _case(error: BaseException, text: str) -> str | None:
    for e in chain(error):
        name = getattr(e, "case_name", None)
        if isinstance(name, str) and name:
            return name.replace("-", "_")
    match = _CASE_LINK.search(text)
    return match[1].replace("-", "_") if match else None


def _suggested(text: str) -> dict[str, str]:
    _, found, after = text.partition("Suggested fixes:")
    if not found:
        return {}
    fixes: dict[str, str] = {}
    for line in after.splitlines():
        match = _SUGGESTED.match(line)
        if match:
            fixes[match[1]] = match[2].strip()
        elif fixes and line.strip():
            break
    return fixes
