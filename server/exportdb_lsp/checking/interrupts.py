"""An interrupt from the terminal ends a check, wherever it arrives.

Python drops a KeyboardInterrupt that is raised while a weak reference's callback, a finalizer, or another function that C
code calls without looking at its errors is running: then the analysis would go on as if nobody had asked it to end.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

_arrived = False


def watch_for_interrupts() -> None:
    """From now on, remember interrupts of this process. Only the main thread may ask for that."""
    signal.signal(signal.SIGINT, _interrupt)


def raise_if_interrupted() -> None:
    """Called between the files and findings of a check.

    Raises:
        KeyboardInterrupt: there was an interrupt, and it was dropped.
    """
    if _arrived:
        raise KeyboardInterrupt


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    global _arrived
    _arrived = True
    raise KeyboardInterrupt
