"""The failures behind the first one, from `torch.export.draft_export`."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import traceback
from typing import Any

from .stack import Frame, FrameClassifier, describe

_KINDS = {
    "propagate_real_tensors_provenance": "DATA_DEPENDENT_ERROR",
    "guard_added": "GUARD_ADDED",
    "missing_fake_kernel": "MISSING_FAKE_KERNEL",
    "mismatched_fake_kernel": "MISMATCHED_FAKE_KERNEL",
}


def later_failures(
    model: Any, args: Any, kwargs: Any, dynamic_shapes: Any, users: FrameClassifier, torch: Any
) -> tuple[list[dict[str, Any]], str]:
    """The failures with their user stacks, and why there are no more of them where it could not go on."""
    draft = getattr(torch.export, "draft_export", None)
    if draft is None:
        try:
            from torch.export._draft_export import draft_export as draft
        except ImportError:
            return [], f"torch {torch.__version__} has no draft_export"
    try:
        program = draft(model, args, kwargs, dynamic_shapes=dynamic_shapes)
    except BaseException as error:
        first = (describe(error).strip().splitlines() or [""])[0][:300]
        note = f"draft_export raised {type(error).__name__}: {first}"
        return _collected(error, users), note
    if getattr(program, "_report", None) is None:
        return [], f"draft_export of torch {torch.__version__} returns no report"
    return reported(program, users), ""


def reported(program: Any, users: FrameClassifier) -> list[dict[str, Any]]:
    """The failures that a draft export notes on the program that it returns; none for another program."""
    report = getattr(program, "_report", None)
    if report is None:
        return []
    rows = [_row(_type(f.failure_type), f.data, report.str_to_filename, users) for f in report.failures]
    return _distinct(rows)


def _type(kind: Any) -> str:
    return str(getattr(kind, "name", kind))


def _collected(error: BaseException, users: FrameClassifier) -> list[dict[str, Any]]:
    """What draft_export had found when it stopped: it keeps that in a local variable until the end."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        capture = frame.f_locals.get("capture_structured_log") if frame.f_code.co_name == "draft_export" else None
        if capture is not None:
            break
    else:
        return []
    rows: list[dict[str, Any]] = []
    names: dict[int, str] = {}
    try:
        for kind, data in capture.log_record.logs:
            if kind == "str":
                names[data[1]] = data[0]
            elif kind in _KINDS and kind != "guard_added":
                rows.append(_row(_KINDS[kind], data, names, users))
    except (AttributeError, TypeError, ValueError, KeyError, IndexError):
        return []
    return _distinct(rows)


def _row(kind: str, data: dict[str, Any], names: dict[int, str], users: FrameClassifier) -> dict[str, Any]:
    frames: list[Frame] = []
    for entry in data.get("user_stack") or data.get("stack") or []:
        name = entry.get("filename")
        path = names.get(name, name) if not isinstance(name, str) else name
        frame: Frame | None = None
        if isinstance(path, str):
            frame = users.frame(path, int(entry.get("line", 0)), str(entry.get("name", "")))
        if frame is not None:
            frames.append(frame)
    operator = data.get("op")
    return {
        "kind": kind,
        "expression": str(data.get("expr", "")),
        "operator": str(operator) if operator is not None else "",
        "reason": str(data.get("reason", "")),
        "frames": frames,
    }


def _distinct(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    seen = set()
    kept: list[dict[str, Any]] = []
    for row in rows:
        place = (row["kind"], row["frames"][-1]["filename"], row["frames"][-1]["row"]) if row["frames"] else None
        key = place or (row["kind"], row["operator"], row["expression"])
        if key not in seen:
            seen.add(key)
            kept.append(row)
    return kept
