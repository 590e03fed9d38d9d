"""Which sizes a `dynamic_shapes` admits: what the author of the new text says that the program is for."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from typing import Any, NamedTuple

from . import shapes

Wanted = dict[int, dict[int, Any]]
"""The Dims asked for: by leaf position, by axis."""

# A derived Dim is a linear expression with small numbers: its root is looked for among so many times its own size.
_WIDEST = 4
_OFFSET = 64


class Excluded(NamedTuple):
    """Why a size is none of those that are declared."""

    words: str
    """What is declared: `x.shape[0] >= 6`, `y.shape[0] = x.shape[0]`, `x.shape[0] = 4`."""
    constant: bool
    """The dimension was dynamic before, and is declared to be one number now."""


class Declaration:
    """The sizes that a specification admits, beside the one before it."""

    def __init__(self, found: list[shapes.InputTensor], before: Wanted, after: Wanted) -> None:
        self._leaves = found
        self._before = before
        self._after = after

    def excludes(self, changed: dict[int, tuple[int, ...]]) -> Excluded | None:
        """The first reason why inputs of these sizes (by leaf position; the others as in the example) are not meant."""
        roots: dict[str, tuple[int, str]] = {}
        for leaf in self._leaves:
            example = tuple(int(n) for n in leaf.tensor.shape)
            for axis, size in enumerate(changed.get(leaf.position, example)):
                dim = self._after.get(leaf.position, {}).get(axis)
                place = f"{leaf.label}.shape[{axis}]"
                if dim is None:
                    if size != example[axis]:
                        return Excluded(f"{place} = {example[axis]}", axis in self._before.get(leaf.position, {}))
                    continue
                excluded = _out_of_range(place, dim, size) or _unrelated(place, dim, size, roots)
                if excluded is not None:
                    return excluded
        return None


def _is_named(dim: Any) -> bool:
    return getattr(dim, "__name__", None) is not None


def _out_of_range(place: str, dim: Any, size: int) -> Excluded | None:
    if getattr(dim, "root", None) is not None:
        return None  # the range of `2*b` follows from that of `b`
    low, high = shapes.declared_range(dim)
    if size >= low and (high is None or size <= high):
        return None
    words = f"{place} >= {low}" if high is None else f"{place} <= {high}" if low <= 1 else f"{low} <= {place} <= {high}"
    return Excluded(words, constant=high is not None and low == high)


def _unrelated(place: str, dim: Any, size: int, roots: dict[str, tuple[int, str]]) -> Excluded | None:
    """Whether a size contradicts what was learnt of the named Dim that it is, or is computed from."""
    if not _is_named(dim):
        return None
    root = getattr(dim, "root", None)
    value, name = size, str(dim.__name__)
    if root is not None:
        low, high = shapes.declared_range(root)
        wanted = range(max(low, 0), min(high or _WIDEST * size + _OFFSET, _WIDEST * size + _OFFSET) + 1)
        found = next((n for n in wanted if dim.fn(n) == size), None)
        if found is None:
            return Excluded(f"{place} = {dim.__name__}", constant=False)
        value, name = found, str(root.__name__)
    known = roots.setdefault(name, (value, place))
    if known[0] == value:
        return None
    other = known[1] if root is None else name
    return Excluded(f"{place} = {other if root is None else dim.__name__}", constant=False)
