"""How much a fix may cost, in steps: what branches on branches or joins conditions looks at the same code again for each
of them, and who asks for a fix does not want to wait for one that nobody would read.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

# Nodes of the tree whose parts the fixes of one finding may ask for: three times what the largest fix of the cases and of
# the tests needs, and some for each character of the text, which a few of them read as a whole.
MOST_STEPS: Final = 40_000
STEPS_A_CHARACTER: Final = 1


class TooLarge(Exception):
    """The fix would take too many steps. No refusal: nothing is concluded from it, and nobody remembers it."""


class _Effort(threading.local):
    left: int | None = None


_effort = _Effort()


@contextlib.contextmanager
def limited(text: str) -> Generator[None]:
    """Within this, in this thread, what looks at code of the text is counted, and raises TooLarge beyond its share."""
    before = _effort.left
    _effort.left = MOST_STEPS + STEPS_A_CHARACTER * len(text)
    try:
        yield
    finally:
        _effort.left = before


def spend(steps: int = 1) -> None:
    """Count steps.

    Raises:
        TooLarge: there have been too many.
    """
    left = _effort.left
    if left is not None:
        if left < steps:
            raise TooLarge
        _effort.left = left - steps
