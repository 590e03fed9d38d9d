"""What a failed export says: line, graph-break id, ExportDB case, suggested sizes."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import json
import os
from typing import Any

from .shapes import Watch
from .stack import Frame, FrameClassifier, chain, describe
from .torch_text import STACK_MARKS, about_the_failure, graph_break, hints, linked_case, stacks, suggested

# What torch says of a dimension that is not what it was declared to be; the second under `backed_size_oblivious`.
_VIOLATIONS = ("Constraints violated", "conflicts between user-specified ranges and inferred ranges")


def registry(torch: Any) -> dict[str, Any]:
    """Graph breaks by id, as the installed torch explains them; empty where it has no such file."""
    path = os.path.join(os.path.dirname(torch.__file__), "_dynamo", "graph_break_registry.json")
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def analyse(
    error: BaseException, strict: bool, users: FrameClassifier, torch: Any, watch: Watch | None
) -> dict[str, Any]:
    """The report of an export that raised `error`."""
    text = about_the_failure(describe(error))
    violation = any(words in text for words in _VIOLATIONS) or any(
        type(e).__name__ == "ConstraintViolationError" for e in chain(error)
    )
    frames = locate(error, text, strict, users)
    cause: list[Frame] = []
    if watch is not None and violation:
        blamed = watch.blame(text)
        frames = blamed or frames
    elif watch is not None:
        cause = watch.created(text)
    entry = graph_break(text, registry(torch))
    return {
        "exception": type(error).__name__,
        "detail": text,
        "frames": frames,
        "span": next((span for e in chain(error) if frames and (span := users.span(e, frames[-1]))), None),
        "origin": cause,
        "violation": violation,
        "graph_break_id": entry[0] if entry else None,
        "hints": hints(entry[1] if entry else {}, text),
        "case": _case(error, text),
        "suggested_fixes": suggested(text),
    }


def locate(error: BaseException, text: str, strict: bool, users: FrameClassifier) -> list[Frame]:
    """The user's stack at the failure.

    Non-strict runs the user's code, so the traceback goes through it. Strict interprets it: the traceback stays in
    Dynamo, and the stack hangs on the exception as `real_stack`. A failure after tracing has neither, and torch
    prints the stack of the graph node into the message.
    """
    raised = [frames for frames in (users.raised(e) for e in chain(error)) if frames]
    kept = [getattr(e, "real_stack", None) for e in chain(error)]
    real = [frames for frames in (users.summaries(stack) for stack in kept if stack) if frames]
    ordered = stacks(raised, real, strict)
    printed: list[Frame] = []
    for mark in STACK_MARKS:
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


def _case(error: BaseException, text: str) -> str | None:
    for e in chain(error):
        name = getattr(e, "case_name", None)
        if isinstance(name, str) and name:
            return name.replace("-", "_")
    return linked_case(text)
