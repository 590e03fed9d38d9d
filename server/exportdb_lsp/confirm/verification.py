"""Proof that a rewrite keeps what the model computes, and that the result exports."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exportdb_rules.finding import Mode

from exportdb_lsp.confirm.request import GIBIBYTE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exportdb_lsp.confirm.result import ExportResult


@dataclass(frozen=True)
class VerifyRequest:
    """Is `after` as good as `before`? `name` picks the target; None takes every target that has inputs in `before`."""

    filename: str
    before: str
    after: str
    name: str | None = None
    modes: tuple[Mode, ...] = (Mode.NON_STRICT,)
    interpreter: str = sys.executable
    root: Path = field(default_factory=Path.cwd)
    timeout: float = 60.0
    memory_limit: int = 4 * GIBIBYTE
    documents: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class VerifyResult:
    """What came of one proof, of one target in one mode.

    `proven`: the new code exports, and eager before = eager after = exported after on every call. `same`: eager
    before = eager after at least; None where that was not found out. `untaken` are rows of the old text that no call
    ran, though their function was called: the proof says nothing about them.
    """

    target: str
    mode: Mode
    proven: bool
    same: bool | None
    message: str
    calls: int = 0
    raised: int = 0
    """Calls on which old and new code raised alike."""
    untaken: tuple[int, ...] = ()
    export: ExportResult | None = None
    """How the export of the new code ended, where it was not well."""

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "target": self.target,
            "mode": self.mode.value,
            "proven": self.proven,
            "same": self.same,
            "message": self.message,
            "calls": self.calls,
            "raised": self.raised,
            "untaken": list(self.untaken),
            "export": self.export.to_json() if self.export else None,
        }


def judge(target: str, mode: Mode, parts: Mapping[str, dict[str, Any]], export: ExportResult) -> VerifyResult:
    """The result, from the parts of the worker and the verdict on the export of the new code."""
    mismatch, verified = parts.get("mismatch"), parts.get("verified")
    if mismatch is not None:
        if mismatch["sides"] == "state":
            return VerifyResult(
                target, mode, False, False, f"the rewrite changes the parameters or buffers: {mismatch['detail']}"
            )
        who = "the new code in eager" if mismatch["sides"] == "eager" else "the exported program of the new code"
        detail = (
            mismatch["detail"].replace("the exported program", "the new code").replace("eager gives", "the old gives")
        )
        message = f"{who} does not do what the old code does: call {mismatch['call']}, {mismatch['place']}: {detail}"
        return VerifyResult(target, mode, False, mismatch["sides"] != "eager", message, calls=mismatch["call"])
    if verified is not None:
        calls, untaken = verified["calls"], tuple(verified["untaken"])
        message = f"proven on {calls} calls: the old code, the new code and its export agree"
        if untaken:
            message += (
                f"; no call ran row{'s' if len(untaken) > 1 else ''} {', '.join(map(str, untaken))} of the old code"
            )
        return VerifyResult(target, mode, True, True, message, calls, verified["raised"], untaken)
    return VerifyResult(target, mode, False, None, f"the new code: {export.message}", export=export)
