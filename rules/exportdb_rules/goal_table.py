"""Which operators the tools take that programs are exported for, by goal (`onnx`, `executorch`) and name of the operator.

`goal_table.json` is measured by `rules/scripts/goal_table.py`: programs of one operator each are lowered, loaded and run by
the tool itself. tests/rules/test_goal_table.py measures a part of it again in each run. An operator that is not in the
table was not measured: nothing is said of it.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


class Refused(NamedTuple):
    """What a tool does not take of an operator: at which stage (`lower`, `load`, `run`, `crash`) every program of it ends,
    which operator of the exported program it is about, and the tool's own words."""

    stage: str
    operator: str
    reason: str


@cache
def _table() -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "goal_table.json").read_text(encoding="utf-8"))


def goals() -> tuple[str, ...]:
    """The goals whose tools were measured."""
    return tuple(_table()["goals"])


def versions(goal: str) -> dict[str, str]:
    """The versions of torch and of the packages of the tool that were measured."""
    return _table()["goals"][goal]["versions"]


@cache
def operators(goal: str) -> dict[str, Refused | None]:
    """All operators that were measured, by the names of the database; None for one that the tool takes."""
    rows = _table()["goals"][goal]["operators"]
    return {name: Refused(*cell) if isinstance(cell, list) else None for name, cell in rows.items()}


def refused(goal: str, qualified: str) -> Refused | None:
    """Why a goal's tool takes no program of what is called by this name; None if it takes some, or that is not known.

    Args:
        goal: a measured goal.
        qualified: `torch.linalg.eigvals`, `torch.nn.functional.fold`, `Tensor.cumsum_`, `torch.nn.AdaptiveMaxPool2d`.
    """
    rows = operators(goal)
    return next((rows[name] for name in _names(qualified) if name in rows), None)


def _names(qualified: str) -> tuple[str, ...]:
    """The rows that may be about a callee, the best first."""
    owner, _, name = qualified.rpartition(".")
    if owner == "Tensor":
        # What is written in place becomes the same operator.
        return (name, name.removesuffix("_"))
    if owner == "torch.nn.functional":
        return (f"nn.functional.{name}", name)
    if owner == "torch.nn":
        return tuple(filter(None, [_table()["modules"].get(name)]))
    return (qualified.removeprefix("torch."),) if qualified.startswith("torch.") else ()
