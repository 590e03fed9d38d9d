"""How a rewrite says no."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

_recorded: ContextVar[list[str] | None] = ContextVar("recorded", default=None)


class FixNotApplicable(Exception):
    """The rewrite cannot be done right here. The reason is for people who work on the rewrites, not for users."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        reasons = _recorded.get()
        if reasons is not None:
            reasons.append(reason)


@contextmanager
def recorded() -> Generator[list[str]]:
    """The reasons of all refusals within the block, in their order: for who tests or counts them."""
    reasons: list[str] = []
    token = _recorded.set(reasons)
    try:
        yield reasons
    finally:
        _recorded.reset(token)
