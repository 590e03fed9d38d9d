"""Patterns of einops, read as text: `b n (h d) -> b h n d`."""

from __future__ import annotations

import re
from typing import Final

# The axes of a side, in groups: one of a single axis is a dimension of its own, the axes of any other are put together. Without
# axes it is a dimension of one place.
Groups = list[list[str]]

# On its own it stands for dimensions, in a group for axes of it.
ELLIPSIS: Final = "..."
_GROUPED: Final = "(...)"
_TOKENS: Final = re.compile(r"\(|\)|\.\.\.|[^\s()]+")


def sides(pattern: str) -> tuple[Groups, Groups] | None:
    """Both sides of a pattern; None where it has no arrow."""
    left, arrow, right = pattern.replace("…", ELLIPSIS).partition("->")
    return (_groups(left), _groups(right)) if arrow else None


def _groups(side: str) -> Groups:
    found: Groups = []
    inside = False
    for token in _TOKENS.findall(side):
        if token in "()":
            inside = token == "("
            found += [[]] if inside else []
        elif inside:
            found[-1] += [] if token == "1" else [_GROUPED if token == ELLIPSIS else token]
        else:
            found.append([] if token == "1" else [token])
    return found


def written_out(groups: Groups, axes: list[str]) -> Groups:
    """Groups with the axes that the ellipsis stands for: dimensions of their own, or a part of a group."""
    found: Groups = []
    for group in groups:
        if group == [ELLIPSIS]:
            found += [[axis] for axis in axes]
        else:
            found.append([axis for name in group for axis in (axes if name == _GROUPED else [name])])
    return found
