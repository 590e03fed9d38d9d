"""Results of exports joined with static findings, where that has something to add."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exportdb_lsp.confirm.request import ExportRequest
    from exportdb_lsp.confirm.result import ExportResult


def joined(result: ExportResult, request: ExportRequest, text: str) -> ExportResult:
    """The result with what the static findings of the same model add to it, see `exportdb_lsp.confirm.blame`."""
    if not result.outcome.is_fault:
        return result
    # The analysis, which an export that succeeds does without.
    from exportdb_lsp.confirm import blame

    return blame.joined(result, request, text)
