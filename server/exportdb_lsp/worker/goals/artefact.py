"""What the artefacts of all goals have in common."""

from __future__ import annotations

from typing import Any

from ..stack import Frame, FrameClassifier
from . import GOALS


class Artefact:
    """What a tool made of an exported program, without what only one tool has."""

    guarded = False
    draws_as_torch = False

    def __init__(self, goal: str, exported: Any, users: FrameClassifier) -> None:
        self.called = GOALS[goal].artefact
        self.slack = GOALS[goal].slack
        self.exported = exported
        self.users = users

    def sizes(self) -> dict[int, list[int | str]]:
        """None of its own."""
        return {}

    def lines_of(self, error: BaseException) -> list[Frame]:
        """None: its errors speak of nothing that the user's lines became."""
        return []

    def placed(self) -> list[Any]:
        """Nothing: there is one place for all of it."""
        return []


class Loaded:
    """An artefact that can be called. What it keeps from call to call cannot be looked at."""

    def named_buffers(self) -> tuple[()]:
        """None: what it would keep shows in the next call."""
        return ()
