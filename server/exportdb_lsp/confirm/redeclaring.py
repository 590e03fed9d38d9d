"""Other declarations of the Dims, where an export failed because the code does not hold for the ones that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.rewrite.interface.dims import as_dynamic, as_suggested

if TYPE_CHECKING:
    from exportdb_rules.finding import Fix

    from exportdb_lsp.confirm.result import ExportResult

_VIOLATED: Final = "Constraints violated"
_CONSTANT: Final = "specialized it to be a constant"


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
