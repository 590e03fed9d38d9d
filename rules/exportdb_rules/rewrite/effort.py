"""How much fixes may cost, in steps, and what is known of a piece of code once somebody has looked at it.

What branches on branches or joins conditions asks the same of the same code again for each of them, and who asks for a fix
does not want to wait for one that nobody would read. What a node is made of never changes, so it is found out once.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    import libcst as cst

    from exportdb_rules.rewrite.tree import Tree

What = TypeVar("What")
Node = TypeVar("Node", bound="cst.CSTNode")
Rest = ParamSpec("Rest")

# Nodes of the tree whose parts the fixes of one finding may ask for: three times what the largest fix of the cases and of
# the tests needs, and some for each character of the text, which a few of them read as a whole.
MAX_STEPS: Final = 40_000
STEPS_A_CHARACTER: Final = 1
# What all fixes of one text may cost together: so much for its fixes however short it is, and so much for each character.
# Ordinary code needs less than a tenth of it (measured on 40 public packages).
MAX_STEPS_OF_TEXT: Final = 400_000
STEPS_OF_TEXT_A_CHARACTER: Final = 20
# Nodes that something is remembered of: those of one text, and those that its fixes made.
MAX_REMEMBERED: Final = 200_000


class TooLarge(Exception):
    """The fix would take too many steps. No refusal: nothing is concluded from it but that so many are not enough."""


class Budget:
    """The steps that the fixes of one text may take together. Half of them is shared equally; of the other half each may
    take what it needs, in the order in which they are asked for, and no more than a fix may take alone."""

    def __init__(self, text: str, fixes: int = 0, *, times: int = 1) -> None:
        """`fixes` is how many will be asked for, `times` how often that for all, where the text changes in between."""
        self._left = times * (MAX_STEPS_OF_TEXT + STEPS_OF_TEXT_A_CHARACTER * len(text))
        self._most = _most(text)
        self._fixes = 0
        self._share = 0
        self.begin(fixes)

    def begin(self, fixes: int) -> None:
        """So many will be asked for from now on."""
        self._fixes = fixes
        self._share = self._left // max(2 * fixes, 1)

    def share(self) -> int:
        """The steps that the next fix may take."""
        self._fixes = max(self._fixes - 1, 0)
        return max(min(self._most, self._left - self._fixes * self._share), 0)

    def took(self, steps: int) -> None:
        """What a fix took of its share."""
        self._left -= steps


class _Effort(threading.local):
    left: int | None = None


_effort = _Effort()
_memories: Final[list[dict[int, Any]]] = []
_remembered_of: list[str] = [""]


def _most(text: str) -> int:
    return MAX_STEPS + STEPS_A_CHARACTER * len(text)


@contextlib.contextmanager
def limited(text: str, budget: Budget | None = None) -> Generator[None]:
    """Within this, in this thread, what looks at code of the text is counted, and raises TooLarge beyond its share: of the
    budget, or what one fix alone may take."""
    if _remembered_of[0] is not text:
        # Nobody asks about the nodes of other texts any more.
        _remembered_of[0] = text
        for memory in _memories:
            memory.clear()
    before = _effort.left
    _effort.left = given = _most(text) if budget is None else budget.share()
    try:
        yield
    finally:
        if budget is not None:
            budget.took(given - _effort.left)
        _effort.left = before


def steps_left() -> int | None:
    """How many steps may still be taken; None where nobody counts."""
    return _effort.left


def consume_fuel(steps: int = 1) -> None:
    """Count steps.

    Raises:
        TooLarge: there have been too many.
    """
    left = _effort.left
    if left is not None:
        if left < steps:
            raise TooLarge
        _effort.left = left - steps


def once(ask: Callable[[Node], What]) -> Callable[[Node], What]:
    """A question to a node whose answer depends on the node alone, which never changes: asked once. The answer is shared,
    so nobody may change it."""
    known: dict[int, tuple[Node, What]] = {}
    _memories.append(known)

    @functools.wraps(ask)
    def asked(node: Node) -> What:
        found = known.get(id(node))
        if found is None:
            answer = ask(node)
            if len(known) >= MAX_REMEMBERED:
                known.clear()
            # The node is kept with it: as long as it lives, no other one has its id.
            found = known[id(node)] = (node, answer)
        return found[1]

    return asked


def kept_with(ask: Callable[Concatenate[Tree, Rest], What]) -> Callable[Concatenate[Tree, Rest], What]:
    """A question to the tree of a text: asked once, and known for as long as the tree is kept. The answer is shared, so
    nobody may change it."""
    known: WeakKeyDictionary[Tree, dict[object, What]] = WeakKeyDictionary()

    @functools.wraps(ask)
    def asked(tree: Tree, *rest: Rest.args, **named: Rest.kwargs) -> What:
        answers = known.get(tree)
        if answers is None:
            answers = known[tree] = {}
        key = (*rest, *named.values())
        if key not in answers:
            answers[key] = ask(tree, *rest, **named)
        return answers[key]

    return asked
