"""The answers of eager and of an exported program, compared where no code of the model has run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Relative and absolute, ten times what the worker allows: it knows all values, of which only some are told here.
TOLERANCES = {"torch.float16": (0.2, 0.2), "torch.bfloat16": (0.2, 0.2), "torch.float64": (1e-6, 1e-8), "torch.complex128": (1e-6, 1e-8)}  # fmt: skip
USUAL = (1e-3, 1e-4)
WHOLE = ("torch.bool", "torch.uint8", "torch.int")


def disagreement(part: Mapping[str, Any]) -> tuple[str, str] | None:
    """Where the two answers of one call differ, and by what; None where they agree.

    Args:
        part: what the worker told of the call, see `worker/evidence.py`. It may be anything.
    """
    rows = part.get("rows")
    if not isinstance(rows, list):
        return "output", "the worker reported no outputs"
    for row in cast("list[Any]", rows):
        if not isinstance(row, dict):
            return "output", "the worker reported no outputs"
        found = _of_row(cast("dict[str, Any]", row))
        if found:
            return str(row.get("place", "output")), found  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    return None


def has_values(part: Mapping[str, Any]) -> bool:
    """Whether an output could be compared, if there is any, of a call that `disagreement` found none in."""
    rows = [row for row in cast("list[dict[str, Any]]", part["rows"]) if str(row.get("place")).startswith("output")]
    return not rows or any(row.get("kind") != "opaque" for row in rows)


def _of_row(row: dict[str, Any]) -> str:
    kind = row.get("kind")
    if kind == "opaque":
        return ""
    eager, exported = row.get("eager"), row.get("exported")
    if kind == "plain":
        return (
            "" if _alike(eager, exported, 1e-4, 1e-5) else f"eager returns {eager!r}, the exported program {exported!r}"
        )
    if [kind, row.get("shape")] != row.get("other"):
        return f"eager returns {kind} {row.get('shape')}, the exported program {row.get('other')}"
    if eager is None and exported is None:
        return ""  # the same bits
    left, right = _flat(eager), _flat(exported)
    if len(left) != len(right):
        return "the worker reported no outputs"
    if str(kind).startswith(WHOLE):
        relative = absolute = 0.0
    else:
        relative, absolute = TOLERANCES.get(str(kind), USUAL)
        sizes = [abs(n) for n in left if isinstance(n, (int, float)) and math.isfinite(n)]
        absolute *= max(1.0, min(max(sizes, default=1.0), 1e3))
    for one, other in zip(left, right, strict=True):
        if not _alike(one, other, relative, absolute):
            return f"eager returns {one!r}, the exported program {other!r}"
    return ""


def _flat(values: object) -> Sequence[Any]:
    if not isinstance(values, list):
        return ()
    found: list[Any] = []
    for value in cast("list[Any]", values):
        found += cast("list[Any]", value) if isinstance(value, list) else [value]
    return found


def _alike(one: object, other: object, relative: float, absolute: float) -> bool:
    if one == other:
        return True
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= absolute + relative * abs(other)
    return False
