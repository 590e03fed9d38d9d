"""How a rewrite says no."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from exportdb_rules.no_fix import NoFix

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence


class Refusal(NamedTuple):
    """A no: the reason that users are told, and what exactly was in the way, for people who work on the rewrites."""

    reason: NoFix
    detail: str


_recorded: ContextVar[list[Refusal] | None] = ContextVar("recorded", default=None)


class FixNotApplicable(Exception):
    """The rewrite cannot be done right here."""

    def __init__(self, reason: NoFix, detail: str) -> None:
        super().__init__(reason, detail)
        refusals = _recorded.get()
        if refusals is not None:
            refusals.append(Refusal(reason, detail))

    def __str__(self) -> str:
        """What exactly is in the way."""
        return self.args[1]


@contextmanager
def recorded() -> Generator[list[Refusal]]:
    """All refusals within the block, in their order, also those within blocks inside."""
    refusals: list[Refusal] = []
    outer = _recorded.get()
    token = _recorded.set(refusals)
    try:
        yield refusals
    finally:
        _recorded.reset(token)
        if outer is not None:
            outer += refusals


def reason_of(refusals: Sequence[Refusal], otherwise: NoFix = NoFix.UNKNOWN_FORM) -> NoFix:
    """The reason to tell of many: that of the last rewrite whose form the code had. Rules ask the most general one last."""
    told = (one.reason for one in reversed(refusals) if one.reason is not NoFix.UNKNOWN_FORM)
    return next(told, otherwise)
