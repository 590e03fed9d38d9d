"""The differential run at other sizes: does the program serve the sizes that it was asked to serve?"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from . import compare, shapes, values
from .program import Program
from .stack import describe

Axis = tuple[int, int]
"""Position of the leaf, axis."""

# A model with many dynamic dimensions is not tried at every combination of sizes.
MOST_GROUPS = 8
BUDGET = 15.0


class Finding(NamedTuple):
    """What other sizes brought to light."""

    kind: str
    """`specializes` or `diverges`."""
    axes: list[Axis]
    sizes: str
    place: str
    detail: str


def groups(rows: list[dict[str, Any]], wanted: dict[int, dict[int, Any]]) -> list[list[set[Axis]]]:
    """Axes that can only change together, each with the wider guesses behind it.

    Axes of one symbol or one named Dim belong together. An axis that was frozen on its own has lost what tied it, so
    after it alone come those that were given the same size.
    """
    found: list[list[set[Axis]]] = []
    done: set[Axis] = set()
    for row in rows:
        axis = (row["position"], row["axis"])
        if axis in done:
            continue
        dim = wanted[axis[0]][axis[1]]
        name = getattr(dim, "__name__", "")
        together = {
            (other["position"], other["axis"])
            for other in rows
            if (other["dynamic"] and row["dynamic"] and other["symbol"] == row["symbol"])
            or (name and getattr(wanted[other["position"]][other["axis"]], "__name__", None) == name)
        } | {axis}
        same = {(o["position"], o["axis"]) for o in rows if o["size"] == row["size"]}
        aligned = {(position, number) for position, number in same if number == axis[1]}
        attempts = [together]
        for wider in (together | aligned, together | same):
            if wider not in attempts:
                attempts.append(wider)
        found.append(attempts)
        done |= together
    return found[:MOST_GROUPS]


def candidates(size: int, low: int, high: int | None) -> list[int]:
    """A few other sizes within the declared range, near ones first; 0 and 1 are special cases and left out."""
    wanted = [size + 1, 2 * size, max(2, low), size - 1, 2 * size + 1]
    admitted = [n for n in wanted if n >= max(2, low) and (high is None or n <= high) and n != size]
    return list(dict.fromkeys(admitted))


def _solved(row: dict[str, Any], size: int) -> int:
    """Sizes of a dimension like `2*s0` come in steps: the nearest one that fits."""
    symbol = row["symbol"]
    if "*" not in symbol:
        return size
    factor = symbol.split("*")[0].strip()
    return size - size % int(factor) if factor.isdigit() and size > int(factor) else size


class Run:
    """Eager and exported, asked at other sizes. Each asks a fresh pair: state of an earlier call must not tell."""

    def __init__(
        self, example: Any, program: Program, rows: list[dict[str, Any]], wanted: dict[int, dict[int, Any]]
    ) -> None:
        self.example = example
        self.program = program
        self.rows = {(row["position"], row["axis"]): row for row in rows}
        self.wanted = wanted
        self.inputs = (example.args, example.kwargs)
        self.calls = 0
        self.until = time.monotonic() + BUDGET

    def explore(self) -> list[Finding]:
        """One finding at most for each group of axes."""
        findings: list[Finding] = []
        for attempts in groups(list(self.rows.values()), self.wanted):
            for axes in attempts:
                answered, finding = self._group(axes)
                if finding is not None:
                    findings.append(finding)
                if answered:
                    break
        return findings

    def _group(self, axes: set[Axis]) -> tuple[bool, Finding | None]:
        """Whether eager took any other size, and what the exported program made of it."""
        first = self.rows[sorted(axes)[0]]
        low, high = 0, None
        for position, axis in axes:
            lower, upper = shapes.declared_range(self.wanted[position][axis])
            low = max(low, lower)
            high = upper if high is None else min(high, upper or high)
        answered = False
        for size in candidates(first["size"], low, high):
            if time.monotonic() > self.until:
                break
            tried = self._at({axis: _solved(self.rows[axis], size) for axis in axes})
            if tried is None:
                continue
            answered = True
            if tried.kind:
                return True, Finding(tried.kind, sorted(axes), tried.sizes, tried.place, tried.detail)
        return answered, None

    def _at(self, sizes: dict[Axis, int]) -> Finding | None:
        """One call at these sizes; None where eager does not take them."""
        changed: dict[int, tuple[int, ...]] = {}
        for leaf in shapes.leaves(self.example.model, *self.inputs):
            shape = [sizes.get((leaf.position, axis), int(n)) for axis, n in enumerate(leaf.tensor.shape)]
            if tuple(shape) != tuple(leaf.tensor.shape):
                changed[leaf.position] = tuple(shape)
        if not changed:
            return None
        inputs = values.vary(self.inputs, 7, "given", _positions(self.example, self.inputs, changed))
        eager = compare.call(self.example.another(), inputs, 7)
        if eager.error is not None:
            return None
        exported = compare.call(self.program.module(), inputs, 7)
        self.calls += 1
        label = ", ".join(
            "{}[{}]={}".format(self.rows[axis]["input"], axis[1], size) for axis, size in sorted(sizes.items())
        )
        if exported.error is not None:
            error = exported.error
            text = (describe(error).strip().splitlines() or [""])[0][:300]
            return Finding("specializes", [], label, "input", f"{type(error).__name__}: {text}")
        found = compare.judge(eager, exported, [])
        if found is not None:
            return Finding("diverges", [], label, found[0], found[1])
        return Finding("", [], label, "", "")


def _positions(example: Any, inputs: Any, changed: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """From positions by parameter to positions in (args, kwargs), which keyword inputs may stand in another order."""
    from torch.utils import _pytree as pytree

    by_identity = {
        id(leaf.tensor): changed[leaf.position]
        for leaf in shapes.leaves(example.model, *inputs)
        if leaf.position in changed
    }
    flat = pytree.tree_leaves(inputs)
    return {index: by_identity[id(item)] for index, item in enumerate(flat) if id(item) in by_identity}
