"""In a comment that suppresses findings: completion of the rules, and the page of the rule under the cursor."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.finding import Position, Span
from exportdb_rules.suppression import listing
from lsprotocol import types

from exportdb_lsp.links import rule_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.rule import Rule

    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

_TRIGGERS: Final = ["[", ","]


def register(server: ExportServer) -> None:
    """textDocument/completion."""

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))
    def complete(params: types.CompletionParams) -> types.CompletionList | None:
        uri = params.text_document.uri
        snapshot = server.documents.snapshot(uri)
        if snapshot is None or not server.documents.is_python(uri):
            return None
        place = snapshot.span_of(uri, types.Range(params.position, params.position)).start
        items = list(_completions(snapshot, place))
        return types.CompletionList(is_incomplete=False, items=items) if items else None


def _completions(snapshot: Snapshot, place: Position) -> Iterator[types.CompletionItem]:
    """The rules that the list at a place may name, and does not name yet: by code, and by name where it takes names."""
    from exportdb_rules.rule import registry

    found = listing(snapshot.text, place.row)
    if found is None or not found.span.start <= place <= found.span.end:
        return
    here = next((span for _, span in found.names if span.start <= place <= span.end), Span(place, place))
    named = {name.lower() for name, span in found.names if span != here}
    range_ = snapshot.locate(here).range
    for rule in registry():
        if not {rule.code.lower(), rule.name} & named:
            yield _completion(rule, rule.code, rule.name, range_)
            if not found.codes_only:
                yield _completion(rule, rule.name, rule.code, range_)


def _completion(rule: Rule, label: str, detail: str, range_: types.Range) -> types.CompletionItem:
    return types.CompletionItem(
        label=label,
        detail=f"{detail}: {rule.summary}",
        kind=types.CompletionItemKind.EnumMember,
        # Codes before names.
        sort_text=f"{label == rule.name:d} {label}",
        text_edit=types.TextEdit(range_, label),
    )


def named_at(text: str, place: Position) -> tuple[Rule | None, str, Span] | None:
    """What a suppression comment names at a place: the rule (None where there is no such rule), the word and its span."""
    from exportdb_rules.rule import registry

    found = listing(text, place.row)
    for name, span in found.names if found is not None else ():
        if span.start <= place <= span.end:
            known = (rule for rule in registry() if name.lower() in (rule.code.lower(), rule.name))
            return next(known, None), name, span
    return None


def described(rule: Rule | None, name: str) -> str:
    """What hovering over the name of a rule in a comment shows."""
    from exportdb_rules.page import page

    if rule is None:
        return f"There is no rule `{name}`."
    return f"**{rule.code}** [{rule.name}]({rule_page(rule.name)}) is suppressed here\n\n{page(rule)}".strip()
