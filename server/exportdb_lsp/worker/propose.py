"""A `dynamic_shapes=` that can be pasted, from what export kept open under Dim.AUTO."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

from . import shapes

_SYMBOL = re.compile(r"[a-z]+\d+\Z")


def texts(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    """Ways to write it, the most telling first: with named Dims and their ranges, with DYNAMIC, with AUTO."""
    names: dict[str, str] = {}
    for row in rows:
        if row["dynamic"] and _SYMBOL.match(row["symbol"]):
            names.setdefault(row["symbol"], re.sub(r"\W+", "_", row["input"]).strip("_") + str(row["axis"]))
    by_leaf: dict[int, dict[int, dict[str, Any]]] = {}
    for row in rows:
        if row["dynamic"]:
            by_leaf.setdefault(row["position"], {})[row["axis"]] = row

    def named(row: dict[str, Any]) -> str:
        name = names.get(row["symbol"])
        if name is None:
            return "Dim.AUTO"  # 2*s0 and the like: the relation is for export to find again
        low = f", min={row['lower']}" if (row["lower"] or 0) > 2 else ""
        high = f", max={row['upper']}" if row["upper"] is not None else ""
        return f'Dim("{name}"{low}{high})'

    ways: list[Callable[[dict[str, Any]], str]] = [named, lambda _: "Dim.DYNAMIC", lambda _: "Dim.AUTO"]
    found = [_whole(model, args, kwargs, by_leaf, way) for way in ways]
    return list(dict.fromkeys(text for text in found if text))


def _whole(
    model: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    by_leaf: dict[int, dict[int, dict[str, Any]]],
    way: Callable[[dict[str, Any]], str],
) -> str:
    torch: Any = sys.modules["torch"]
    from torch.utils import _pytree as pytree

    position = 0
    fits = True

    def write(value: Any) -> str:
        nonlocal position, fits
        if isinstance(value, torch.Tensor):
            axes = by_leaf.get(position, {})
            position += 1
            return (
                "{" + ", ".join(f"{axis}: {way(row)}" for axis, row in sorted(axes.items())) + "}" if axes else "None"
            )
        if type(value) in (list, tuple):
            inner = ", ".join([write(item) for item in value])
            if isinstance(value, list):
                return f"[{inner}]"
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        if type(value) is dict:
            return "{" + ", ".join(f"{key!r}: {write(item)}" for key, item in value.items()) + "}"
        count = len(pytree.tree_leaves(value))
        fits = fits and not any(position + i in by_leaf for i in range(count))  # a container that has no literal
        position += count
        return "None"

    parts = [f'"{name}": {write(value)}' for name, value in shapes.combine(model, args, kwargs).items()]
    return "{" + ", ".join(parts) + "}" if fits else ""
