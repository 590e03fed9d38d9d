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


NOTHING = {"place": "output", "detail": "the worker reported no outputs", "eager": "", "exported": ""}


def disagreement(
    part: Mapping[str, Any], called: str = "the exported program", slack: float = 1.0
) -> dict[str, str] | None:
    """How the two answers of one call differ, in the fields of the worker's own `difference`; None where they agree.

    Args:
        part: what the worker told of the call, see `worker/evidence.py`. It may be anything.
        called: what answered beside eager.
        slack: how many times as far from eager its numbers may be as those of a program that has eager's kernels.
    """
    rows = part.get("rows")
    if not isinstance(rows, list):
        return NOTHING
    for row in cast("list[Any]", rows):
        if not isinstance(row, dict):
            return NOTHING
        found = _of_row(cast("dict[str, Any]", row), slack)
        if found is not None:
            eager, exported = found
            place = str(row.get("place", "output"))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
            detail = f"eager returns {eager}, {called} {exported}"
            return {"place": place, "detail": detail, "eager": eager, "exported": exported}
    return None


def has_values(part: Mapping[str, Any]) -> bool:
    """Whether an output could be compared, if there is any, of a call that `disagreement` found none in."""
    rows = [row for row in cast("list[dict[str, Any]]", part["rows"]) if str(row.get("place")).startswith("output")]
    return not rows or any(row.get("kind") != "opaque" for row in rows)


def _of_row(row: dict[str, Any], slack: float) -> tuple[str, str] | None:
    """What eager and the exported program return, in words, where that is not alike."""
    kind = row.get("kind")
    if kind == "opaque":
        return None
    eager, exported = row.get("eager"), row.get("exported")
    if kind == "plain":
        return None if _alike(eager, exported, 1e-4, 1e-5) else (repr(eager), repr(exported))
    if [kind, row.get("shape")] != row.get("other"):
        return f"{kind} {row.get('shape')}", str(row.get("other"))
    if eager is None and exported is None:
        return None  # the same bits
    left, right = _flat(eager), _flat(exported)
    if len(left) != len(right):
        return f"{len(left)} values", f"{len(right)} values"
    if str(kind).startswith(WHOLE):
        relative = absolute = 0.0
    else:
        relative, absolute = (slack * tolerance for tolerance in TOLERANCES.get(str(kind), USUAL))
        sizes = [abs(n) for n in left if isinstance(n, (int, float)) and math.isfinite(n)]
        absolute *= max(1.0, min(max(sizes, default=1.0), 1e3))
    for one, other in zip(left, right, strict=True):
        if not _alike(one, other, relative, absolute):
            return repr(one), repr(other)
    return None


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
