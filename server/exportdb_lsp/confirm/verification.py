"""Proof that a rewrite keeps what the model computes, and that the result exports."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exportdb_rules.finding import Mode

from exportdb_lsp.confirm import messages
from exportdb_lsp.confirm.request import GIBIBYTE
from exportdb_lsp.confirm.result import Outcome

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
    documents_before: Mapping[str, str] | None = None
    """Other files as the old code saw them, where a rewrite has changed them too; None where they are the same."""


@dataclass(frozen=True)
class VerifyResult:
    """What came of one proof, of one target in one mode.

    `proven`: the new code exports, and eager before = eager after = exported after on every call. `same`: eager
    before = eager after at least; None where that was not found out, or where the old code does not run. `uncovered` are
    rows of the old text that no call ran, though their function was called: the proof says nothing about them.
    """

    target: str
    mode: Mode
    proven: bool
    same: bool | None
    message: str
    calls: int = 0
    raised: int = 0
    """Calls on which old and new code raised alike."""
    uncovered: tuple[int, ...] = ()
    export: ExportResult | None = None
    """How the export of the new code ended, where it was not well."""
    gradients: str = ""
    """How the gradients of a parameter differ between old and new code; empty where they do not, or there are none."""
    narrowed: tuple[str, ...] = ()
    """What the new `dynamic_shapes` admits (`x.shape[0] >= 6`) where the old one admitted more, and the old code takes
    more: the proof is for these sizes alone."""

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
            "uncovered": list(self.uncovered),
            "gradients": self.gradients,
            "narrowed": list(self.narrowed),
            "export": self.export.to_json() if self.export else None,
        }


def judge(target: str, mode: Mode, parts: Mapping[str, dict[str, Any]], export: ExportResult) -> VerifyResult:
    """The result, from the parts of the worker and the verdict on the export of the new code."""
    result = _judged(target, mode, parts, export)
    if (differs := parts.get("gradients")) is None:
        return result
    told = f"{differs['place']} differs: {differs['detail']}"
    return replace(result, gradients=told, message=f"{result.message}; {told}")


def _judged(target: str, mode: Mode, parts: Mapping[str, dict[str, Any]], export: ExportResult) -> VerifyResult:
    if "unsteady" in parts:
        how = messages.eager(parts["unsteady"])
        message = f"cannot be verified: two fresh instances of the original code differ on the same inputs: {how}"
        return VerifyResult(target, mode, False, None, message)
    mismatch, verified, broken = parts.get("mismatch"), parts.get("verified"), parts.get("broken")
    if mismatch is not None:
        if mismatch["sides"] == "state":
            return VerifyResult(
                target, mode, False, False, f"the rewrite changes the parameters or buffers: {mismatch['detail']}"
            )
        who = (
            "the rewritten code in eager"
            if mismatch["sides"] == "eager"
            else "the exported program of the rewritten code"
        )
        where = f"call {mismatch['call']}, {mismatch['place']}"
        message = f"{who} differs from the original code: {where}: {mismatch['detail']}"
        return VerifyResult(target, mode, False, mismatch["sides"] != "eager", message, calls=mismatch["call"])
    if verified is not None and export.outcome is not Outcome.OK:
        # It answers as the old code does at the sizes of the example, and not at others.
        return VerifyResult(target, mode, False, True, f"the rewritten code: {export.message}", export=export)
    if verified is not None and broken is not None:
        calls = verified["calls"]
        message = f"the original code does not run on its own example ({broken['detail']}); the rewritten code and its export agree on {calls} calls"  # fmt: skip
        return VerifyResult(target, mode, True, None, message, calls, verified["raised"])
    narrowed = tuple(row["words"] for row in verified["narrowed"]) if verified is not None else ()
    constants = [row["words"] for row in verified["narrowed"] if row["constant"]] if verified is not None else []
    if constants:
        message = f"the rewritten code agrees with the original, but specializes a dynamic dimension: {', '.join(constants)}; the original accepts other sizes too"  # fmt: skip
        return VerifyResult(target, mode, False, True, message, narrowed=narrowed)
    if verified is not None:
        calls, uncovered = verified["calls"], tuple(verified["uncovered"])
        message = f"verified on {calls} calls: the original code, the rewritten code and its export agree"
        if uncovered:
            message += f"; line{'s' if len(uncovered) > 1 else ''} {', '.join(map(str, uncovered))} of the original code {'were' if len(uncovered) > 1 else 'was'} not covered"
        if narrowed:
            message += f"; for fewer sizes than the original declares: {', '.join(narrowed)}"
        return VerifyResult(target, mode, True, True, message, calls, verified["raised"], uncovered, narrowed=narrowed)
    same = True if "same" in parts else None
    return VerifyResult(target, mode, False, same, f"the rewritten code: {export.message}", export=export)
