"""Results of exports joined with static findings, where that has something to add."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exportdb_lsp.confirm.blame import Analyses
    from exportdb_lsp.confirm.request import ExportRequest
    from exportdb_lsp.confirm.result import ExportResult


class Joining:
    """Joins the results of one request with what the static findings of the same model add to them."""

    def __init__(self) -> None:
        self._analyses: Analyses | None = None

    def joined(self, result: ExportResult, request: ExportRequest, text: str) -> ExportResult:
        """The result with what the static findings add to it, see `exportdb_lsp.confirm.blame`."""
        if not result.outcome.is_fault:
            return result
        # The analysis, which an export that succeeds does without.
        from exportdb_lsp.confirm import blame

        self._analyses = self._analyses or blame.Analyses(request)
        return blame.joined(result, request, text, self._analyses)
