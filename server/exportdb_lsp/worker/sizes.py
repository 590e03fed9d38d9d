"""The differential run at other sizes: does the program serve the sizes that it was asked to serve?"""

from __future__ import annotations

import functools
import math
import re
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from . import compare, shapes, values
from .program import Runnable
from .stack import Frame, describe

Axis = tuple[int, int]
"""Position of the leaf, axis."""

# A model with many dynamic dimensions is not tried at every combination of sizes.
MAX_GROUPS = 8
# Nor beside every number that the code compares a size with.
MAX_NUMBERS = 4
# Of an input at the end of a range, in numbers: a quarter of a gibibyte of floats.
MAX_ELEMENTS = 1 << 26
BUDGET = 15.0


class SizeFinding(NamedTuple):
    """What other sizes brought to light."""

    kind: str
    """`specializes` or `diverges`."""
    axes: list[Axis]
    sizes: str
    place: str
    detail: str
    eager: str = ""
    exported: str = ""
    """What the two return there, of one that diverges."""
    frames: tuple[Frame, ...] = ()
    """The user's lines that an error of the program names, or that assumed what these sizes do not fulfil."""
    assumed: str = ""
    """By the latter, what."""


class LinkedAxes(NamedTuple):
    """Axes that can only change together: how big each is when the root of them all has a certain size."""

    axes: dict[Axis, Callable[[int], int]]
    size: int
    """The size of the root in the example."""

    def at(self, size: int) -> dict[Axis, int]:
        """The size of every axis, for a size of the root."""
        return {axis: of_root(size) for axis, of_root in self.axes.items()}


def groups(rows: list[dict[str, Any]], wanted: dict[int, dict[int, Any]], program: Any) -> list[list[LinkedAxes]]:
    """What can be tried at other sizes; each with the wider guesses behind it.

    Axes belong together if export gave them expressions over the same symbol, or the user the same named Dim. An axis
    that was frozen on its own has lost what tied it: after it alone come those that were given the same size. Axes that
    export made equal, but the user declared each for itself, are tried apart as well: eager may take other sizes of one.
    """
    kept = shapes.kept(program)
    found: list[list[LinkedAxes]] = []
    apart: list[list[LinkedAxes]] = []
    done: set[Axis] = set()
    for row in rows:
        axis = (row["position"], row["axis"])
        if axis in done:
            continue
        size = kept[axis[0]][axis[1]] if row["dynamic"] else None
        if size is not None:
            group = _tied(size, rows, kept)
            if group is not None:
                found.append([group])
                apart += [[one] for one in _declared_apart(group, rows, wanted)]
                done |= set(group.axes)
            continue
        name = getattr(wanted[axis[0]][axis[1]], "__name__", "")
        named = {axis} | {
            (other["position"], other["axis"])
            for other in rows
            if name and getattr(wanted[other["position"]][other["axis"]], "__name__", None) == name
        }
        same = {(o["position"], o["axis"]) for o in rows if o["size"] == row["size"]}
        aligned = {(position, number) for position, number in same if number == axis[1]}
        attempts: list[set[Axis]] = []
        for axes in (named, named | aligned, named | same):
            if axes not in attempts:
                attempts.append(axes)
        found.append([LinkedAxes(dict.fromkeys(axes, _itself), row["size"]) for axes in attempts])
        done |= named
    return [*found, *apart][:MAX_GROUPS]


def _declared_apart(
    group: LinkedAxes, rows: list[dict[str, Any]], wanted: dict[int, dict[int, Any]]
) -> list[LinkedAxes]:
    """The dimensions of a group by their declarations, if there is more than one; without those that follow from another."""
    sizes = {(row["position"], row["axis"]): row["size"] for row in rows}
    declared: dict[Any, list[Axis]] = {}
    for position, axis in group.axes:
        dim = wanted[position][axis]
        if getattr(dim, "root", None) is None:
            declared.setdefault(getattr(dim, "__name__", (position, axis)), []).append((position, axis))
    if len(declared) < 2:
        return []
    return [LinkedAxes(dict.fromkeys(axes, _itself), sizes[axes[0]]) for axes in declared.values()]


def _itself(size: int) -> int:
    return size


def _tied(size: Any, rows: list[dict[str, Any]], kept: dict[int, list[Any]]) -> LinkedAxes | None:
    """All axes whose size is an expression over the one symbol of `size`."""
    symbols = size.node.expr.free_symbols
    if len(symbols) != 1:
        return None
    (symbol,) = symbols
    axes: dict[Axis, Callable[[int], int]] = {}
    examples: dict[Axis, int] = {}
    for row in rows:
        axis = (row["position"], row["axis"])
        node = getattr(kept[axis[0]][axis[1]], "node", None)
        expression = getattr(node, "expr", None)
        if expression is not None and expression.free_symbols == symbols:
            axes[axis] = functools.partial(_substituted, expression, symbol)
            examples[axis] = row["size"]
    for root in range(1, 4 * max(examples.values()) + 4):
        if all(of_root(root) == examples[axis] for axis, of_root in axes.items()):
            return LinkedAxes(axes, root)
    return None


def _substituted(expression: Any, symbol: Any, size: int) -> int:
    return int(expression.subs(symbol, size))


def candidates(size: int, low: int, high: int | None) -> list[int]:
    """A few other sizes within the declared range: near ones first, then its ends.

    0 and 1 are special to export; they count where the range says that it begins there. A Dim that says nothing begins
    at 0, which is no promise.
    """
    wanted = [size + 1, 2 * size, max(2, low), size - 1, 2 * size + 1]
    admitted = [n for n in wanted if n >= max(2, low) and (high is None or n <= high) and n != size]
    ends = [n for n in (low, high) if n is not None and n >= 1 and n != size]
    return list(dict.fromkeys([*admitted, *ends]))


# A size computed from a dynamic one must not become 0 or 1: export treats every size so, the user's line is not to
# blame, and the sizes that it excludes are a few small ones.
_ZERO_ONE = re.compile(r"Guard failed: .* != [01]$", re.MULTILINE)
# `h // 2 != 1` may be told as `h != h // (h // 2)`: the difference of two numbers that are computed from one size.
_UNEQUAL = re.compile(r"Guard failed: ([^=<>]*) != ([^=<>]*)$", re.MULTILINE)
_SIZE = re.compile(r"[^\s()]+\.size\(\)\[\d+\]")


def is_zero_one(text: str) -> bool:
    """Whether a program refused a call because a size that it computes would be 0 or 1."""
    if _ZERO_ONE.search(text):
        return True
    return any(
        len(found := set(_SIZE.findall(left))) == 1 and found == set(_SIZE.findall(right))
        for left, right in _UNEQUAL.findall(text)
    )


class SizeExploration:
    """Eager and exported, asked at other sizes. Each asks a fresh pair: state of an earlier call must not tell."""

    def __init__(
        self,
        example: Any,
        program: Runnable,
        rows: list[dict[str, Any]],
        wanted: dict[int, dict[int, Any]],
        blame: Callable[[dict[Axis, int]], shapes.Event | None] = lambda _: None,
        seconds: float = BUDGET,
        compared: Sequence[int] = (),
    ) -> None:
        self.until = time.monotonic() + seconds
        self.blame = blame
        """What export assumed that these sizes do not fulfil."""
        self.compared = compared
        """The numbers that the code compares sizes with."""
        self.example = example
        self.program = program
        self.rows = {(row["position"], row["axis"]): row for row in rows}
        self.wanted = wanted
        self.inputs = (example.args, example.kwargs)
        self.calls = 0

    def explore(self) -> list[SizeFinding]:
        """One finding at most for each group of axes."""
        findings: list[SizeFinding] = []
        for attempts in groups(list(self.rows.values()), self.wanted, self.program.exported):
            for group in attempts:
                answered, finding = self._group(group)
                if finding is not None:
                    findings.append(finding)
                if answered:
                    break
        return findings

    def _group(self, group: LinkedAxes) -> tuple[bool, SizeFinding | None]:
        """Whether eager took any other size, and what the exported program made of it."""
        low, high = 0, None
        for (position, axis), of_root in group.axes.items():
            dim = self.wanted[position][axis]
            if of_root is not _itself and of_root(group.size) != group.size:
                # The range of `2*b` is not the range of `b`; that is declared with the root.
                dim = getattr(dim, "root", None)
                if dim is None or self.wanted[position][axis].fn(group.size) != of_root(group.size):
                    continue
            lower, upper = shapes.declared_range(dim)
            low = max(low, lower)
            high = upper if high is None else min(high, upper or high)
        answered = False
        refused: SizeFinding | None = None
        sizes = candidates(group.size, low, high)
        for size in [*sizes, *(n for n in self._unguarded(group, low, high) if n not in sizes)]:
            if time.monotonic() > self.until:
                break
            tried = self._at(group.at(size), promised=size in (low, high))
            if tried is None:
                continue
            answered = True
            if tried.kind:
                found = tried._replace(axes=sorted(group.axes))
                # What has no guards may refuse one size, and compute something else for another: that is worse.
                if self.program.guarded or tried.kind == "diverges":
                    return True, found
                refused = refused or found
        return answered, refused

    def _unguarded(self, group: LinkedAxes, low: int, high: int | None) -> list[int]:
        """The nearest sizes within the declared range that the trace does not hold for, and the program does not refuse."""
        if self.program.guarded:
            return []
        root = [axis for axis, of_root in group.axes.items() if of_root(group.size) == group.size]
        ends = [(self.rows[axis]["lower"], -1) for axis in root] + [(self.rows[axis]["upper"], 1) for axis in root]
        beyond = [end + step for end, step in ends if end is not None]
        around = [number + step for number in self.compared[:MAX_NUMBERS] for step in (0, -1, 1)]
        beyond += [n for n in around if n >= 2 and n != group.size and self.blame(group.at(n)) is not None]
        return [n for n in dict.fromkeys(beyond) if n >= max(1, low) and (high is None or n <= high)]

    def _at(self, sizes: dict[Axis, int], promised: bool) -> SizeFinding | None:
        """One call at these sizes; None where eager does not take them, or they are too many to try.

        `promised` sizes are an end of a declared range: the program has to take them, whatever it computes from them.
        """
        changed: dict[int, tuple[int, ...]] = {}
        for leaf in shapes.leaves(self.example.model, *self.inputs):
            shape = [sizes.get((leaf.position, axis), int(n)) for axis, n in enumerate(leaf.tensor.shape)]
            if tuple(shape) != tuple(leaf.tensor.shape):
                changed[leaf.position] = tuple(shape)
        if not changed or sum(math.prod(shape) for shape in changed.values()) > MAX_ELEMENTS:
            return None
        inputs = values.vary(self.inputs, 7, "given", positions(self.example, self.inputs, changed))
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
            if is_zero_one(describe(error)) and not promised:
                return None
            text = (describe(error).strip().splitlines() or [""])[0][:300]
            lines = tuple(self.program.lines_of(error))
            event = None if lines else self.blame(sizes)
            if event is not None:
                lines = tuple(event.frames)
            told, assumed = f"{type(error).__name__}: {text}", event.assumed if event is not None else ""
            return SizeFinding("specializes", [], label, "input", told, frames=lines, assumed=assumed)
        found = compare.judge(eager, exported, [])
        if found is not None:
            told = found.sentence(exported=self.program.called)
            return SizeFinding("diverges", [], label, found.place, told, found.eager, found.exported)
        return SizeFinding("", [], label, "", "")


def positions(example: Any, inputs: Any, changed: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """From positions by parameter to positions in (args, kwargs), which keyword inputs may stand in another order."""
    from torch.utils import _pytree as pytree

    by_identity = {
        id(leaf.tensor): changed[leaf.position]
        for leaf in shapes.leaves(example.model, *inputs)
        if leaf.position in changed
    }
    flat = pytree.tree_leaves(inputs)
    return {index: by_identity[id(item)] for index, item in enumerate(flat) if id(item) in by_identity}
