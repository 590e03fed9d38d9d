"""Other declarations of the Dims, where an export failed because the code does not hold for the ones that are there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from exportdb_rules.rewrite.edits import apply
from exportdb_rules.rewrite.interface.dims import as_dynamic, as_suggested

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from threading import Event

    from exportdb_rules.finding import Fix

    from exportdb_lsp.confirm.confirmer import Confirmer
    from exportdb_lsp.confirm.result import ExportResult
    from exportdb_lsp.confirm.verification import VerifyRequest, VerifyResult

_VIOLATED: Final = "Constraints violated"
_CONSTANT: Final = "specialized it to be a constant"
# What torch suggests may bring up the next suggestion, and hardly ever a fourth.
ROUNDS: Final = 3


@dataclass(frozen=True)
class Redeclared:
    """A text whose Dims were declared anew, the titles of the fixes that did it, and the proof."""

    text: str
    titles: tuple[str, ...]
    results: tuple[VerifyResult, ...]


def redeclared(
    confirmer: Confirmer,
    request: VerifyRequest,
    exports: Iterable[ExportResult],
    rounds: int = ROUNDS,
    *,
    on_progress: Callable[[str], None] | None = None,
    cancelled: Event | None = None,
) -> Redeclared | None:
    """The new text of a proof with other Dims, and proven; None where that is no declaration's doing.

    Args:
        exports: how the exports of the new text ended that did not end well.

    Raises:
        FixNotApplicable: nothing could be tried.
    """
    fixes = {fix.edits: fix for export in exports for fix in redeclarations(request.after, export)}
    for fix in fixes.values():
        anew = replace(request, after=apply(request.after, fix.edits))
        proof = confirmer.verify(anew, on_progress=on_progress, cancelled=cancelled)
        if all(result.proven for result in proof) and not _promises_less(proof):
            return Redeclared(anew.after, (fix.title,), proof)
        if rounds > 1:
            failed = [result.export for result in proof if result.export is not None]
            found = redeclared(confirmer, anew, failed, rounds - 1, on_progress=on_progress, cancelled=cancelled)
            if found is not None:
                return replace(found, titles=(fix.title, *found.titles))
    return None


def _promises_less(proof: Iterable[VerifyResult]) -> bool:
    """Whether the new range of a Dim excludes sizes that the code takes: then a branch on the size is what is wrong, and the
    range that one side of it has would hide that."""
    return any(" <= " in words or " >= " in words for result in proof for words in result.narrowed)


def redeclarations(text: str, result: ExportResult) -> tuple[Fix, ...]:
    """The Dims as torch suggests; else, or beside a suggestion that makes a constant of one, as `Dim.DYNAMIC`.

    No named Dim can say what some code asks of a size (that `n // 2` is not 1): then torch suggests nothing, or a
    constant, and DYNAMIC takes the sizes that the code leaves.
    """
    suggested = as_suggested(text, result.suggested_fixes) if result.suggested_fixes else None
    found = [suggested] if suggested is not None else []
    constant = any(fix.isdigit() for fix in result.suggested_fixes.values())
    if _VIOLATED in result.detail and _CONSTANT not in result.detail and (suggested is None or constant):
        dynamic = as_dynamic(text, result.target)
        found += [dynamic] if dynamic is not None else []
    return tuple(found)
