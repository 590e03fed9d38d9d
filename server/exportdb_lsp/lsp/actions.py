"""Code actions: the fixes of findings, comments that silence them, and all safe fixes of a file at once.

What a fix is, is worked out from the server's own findings and the range that is asked about. The diagnostics that a
client sends along are never believed: some editors send their columns in another unit than they received them.
"""

# pyright: reportUnusedFunction=false
from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules.finding import Edit, Position, Span
from lsprotocol import types

from exportdb_lsp.lsp import diagnostic_items, suppress, verifying
from exportdb_lsp.lsp.analysis import Superseded
from exportdb_lsp.lsp.diagnostics import joined_with_exports
from exportdb_lsp.lsp.edits import difference, workspace_edit
from exportdb_lsp.lsp.errors import content_modified, invalid_params

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from exportdb_rules.finding import Finding, Fix

    from exportdb_lsp.confirm.confirmation import Confirmation
    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

REWRITE: Final = "refactor.rewrite.exportdb"
FIX_ALL: Final = "source.fixAll.exportdb"
QUICK_FIX: Final = types.CodeActionKind.QuickFix.value
# A menu with more than this is read by nobody; fixes of a large selection are what fix-all is for.
MAX_FINDINGS: Final = 12


@dataclass(frozen=True)
class Offer:
    """An action before it is written down. `edits` None: worked out when the action is chosen."""

    title: str
    kind: str
    key: tuple[str, ...]
    edits: tuple[Edit, ...] | None
    finding: Finding | None = None
    preferred: bool = False
    proven: bool = False
    """Applied only when real exports prove it: a command, as that takes its time."""


def register(server: ExportServer) -> None:
    """textDocument/codeAction and codeAction/resolve."""
    options = types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, REWRITE, FIX_ALL], resolve_provider=True
    )

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        uri = params.text_document.uri
        snapshot = server.documents.snapshot(uri)
        if snapshot is None or not server.documents.is_python(uri) or not server.client.action_literals:
            return []
        automatic = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
        span = snapshot.span_of(uri, params.range)
        try:
            offers = await offers_at(server, snapshot, span, only, automatic=automatic)
            findings = (await server.report(snapshot)).findings
            said = joined_with_exports(server, snapshot.filename, findings).confirmations
            known = {(f.code, f.span): one for f, one in zip(findings, said, strict=True)}
            return [await _written(server, snapshot, span, offer, known) for offer in offers]
        except Superseded:
            raise content_modified() from None

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        data: object = action.data
        if not isinstance(data, dict):
            raise invalid_params("unknown code action")
        asked = cast("dict[str, Any]", data)
        snapshot = server.documents.snapshot(str(asked.get("uri", "")))
        if snapshot is None or snapshot.version != asked.get("version"):
            raise content_modified()
        try:
            action.edit = workspace_edit(snapshot, await _edits_again(server, snapshot, asked), server.client)
        except Superseded:
            raise content_modified() from None
        return action


async def offers_at(
    server: ExportServer, snapshot: Snapshot, span: Span, only: list[str], *, automatic: bool = False
) -> list[Offer]:
    """What is offered at a place, best first. Raises Superseded when the text changed meanwhile."""
    report = await server.report(snapshot)
    found: list[Offer] = []
    fixing, rewriting = wanted(QUICK_FIX, only), wanted(REWRITE, only)
    if fixing or (rewriting and only):
        here = _near(report.findings, span)[:MAX_FINDINGS]
        place = server.place(snapshot.filename)
        silencing: list[Offer] = []
        proving: list[Offer] = []
        for finding in here:
            if finding.fixable:
                offered = (await server.analysis.offer(place.root, finding, snapshot.version, place.engine)).fixes
                kind = QUICK_FIX if fixing else REWRITE
                found += [_of_fix(finding, fix, kind) for fix in offered if snapshot.takes(fix.edits)]
                if rewriting and not automatic and _proves(server, snapshot):
                    proving += [_with_proof(finding, fix) for fix in offered]
            if fixing and not automatic:
                # It parses the text with and without each comment: not here, where everybody waits.
                silencing += await server.analysis.run(partial(_silencing, snapshot, finding))
        suggested = _suggested(server, snapshot, span, QUICK_FIX if fixing else REWRITE)
        found += [*suggested, *proving, *silencing]
    # Whether there is a safe fix is found out by working them all out: not for every menu that is opened.
    if only and wanted(FIX_ALL, only) and any(f.fixable for f in report.findings):
        found.append(Offer("Apply all safe export fixes", FIX_ALL, ("all",), None))
    if not server.client.preferred_actions:
        found.sort(key=lambda offer: not offer.preferred)
    return found


def wanted(kind: str, only: list[str]) -> bool:
    """Whether a kind was asked for: itself, or one that it is a special case of."""
    return not only or any(kind == o or kind.startswith(o + ".") or not o for o in only)


def _near(findings: Iterable[Finding], span: Span) -> list[Finding]:
    """The findings that a place is about, those that it touches first.

    Within one line all of the line's will do: editors put the cursor at its start when they jump to a diagnostic, and some
    send the word that they take it to stand in.
    """
    touched = [f for f in findings if f.span.start <= span.end and span.start <= f.span.end]
    row = span.start.row
    if row != span.end.row:
        return touched
    return touched + [f for f in findings if f.span.start.row == row and f not in touched]


def _of_fix(finding: Finding, fix: Fix, kind: str) -> Offer:
    caution = f" ({fix.caution})" if fix.caution else ""
    return Offer(fix.title + caution, kind, ("fix", finding.code, fix.title), fix.edits, finding, fix.preferred)


def _suggested(server: ExportServer, snapshot: Snapshot, span: Span, kind: str) -> list[Offer]:
    """Other declarations of the dimensions, after an export that failed by them, where it is marked and where they are."""
    from exportdb_lsp.confirm.redeclaring import redeclarations

    found: list[Offer] = []
    for verdict in server.verdicts.of(snapshot.filename):
        result = verdict.result
        if not verdict.current(server.digest):
            continue
        for fix in redeclarations(snapshot.text, result):
            rows = {edit.span.start.row for edit in fix.edits}
            rows.add(result.frame.row if result.frame is not None else server.target_row(result))
            key = ("suggested", result.target, fix.title)
            if rows & {span.start.row, span.end.row} and key not in {offer.key for offer in found}:
                found.append(Offer(fix.title, kind, key, fix.edits))
    return found


def _proves(server: ExportServer, snapshot: Snapshot) -> bool:
    return server.trusted and server.client.applies_edits and not snapshot.notebook


def _with_proof(finding: Finding, fix: Fix) -> Offer:
    key = ("fix", finding.code, fix.title)
    return Offer(f"{fix.title}, and verify by exporting", REWRITE, key, fix.edits, finding, proven=True)


def _silencing(snapshot: Snapshot, finding: Finding) -> list[Offer]:
    if finding.code == suppress.suppression.CODE:
        return []
    found: list[Offer] = []
    line = suppress.on_line(snapshot.lines, finding)
    if line is not None:
        key = ("line", finding.code)
        found.append(Offer(f"Ignore {finding.code} on this line", QUICK_FIX, key, (line,), finding))
    file = suppress.in_file(snapshot.lines, finding)
    if file is not None and snapshot.takes((file,)):
        title = f"Ignore {finding.code} in this {'notebook' if snapshot.notebook else 'file'}"
        found.append(Offer(title, QUICK_FIX, ("file", finding.code), (file,), finding))
    return found


async def _written(
    server: ExportServer,
    snapshot: Snapshot,
    span: Span,
    offer: Offer,
    known: Mapping[tuple[str, Span], Confirmation | None],
) -> types.CodeAction:
    finding = offer.finding
    own = None
    if finding is not None:
        own = [diagnostic_items.finding_diagnostic(finding, snapshot, server, known.get((finding.code, finding.span)))]
    action = types.CodeAction(
        offer.title,
        kind=offer.kind,
        diagnostics=own,
        is_preferred=True if offer.preferred and server.client.preferred_actions else None,
    )
    at = finding.span if finding is not None else span
    data = {
        "uri": snapshot.uri,
        "version": snapshot.version,
        "key": list(offer.key),
        "at": [at.start.row, at.start.column],
    }
    if offer.proven:
        action.command = types.Command(offer.title, verifying.COMMAND, arguments=[data])
    elif server.client.resolves_edits and server.client.action_data:
        action.data = data
    else:
        edits = offer.edits if offer.edits is not None else await _all_fixes(server, snapshot)
        action.edit = workspace_edit(snapshot, edits, server.client)
    return action


async def verify_fix(server: ExportServer, asked: dict[str, Any], token: types.ProgressToken | None) -> dict[str, Any]:
    """The command of an action that is proven before it is applied; `asked` is what the action gave along."""
    snapshot = server.documents.snapshot(str(asked.get("uri", "")))
    if snapshot is None or snapshot.version != asked.get("version"):
        raise content_modified()
    try:
        offer = await _offered_again(server, snapshot, asked)
    except Superseded:
        raise content_modified() from None
    assert offer.finding is not None
    return await verifying.apply_proven(
        server, snapshot, list(offer.edits or ()), offer.finding.entry, offer.title, token
    )


async def _edits_again(server: ExportServer, snapshot: Snapshot, asked: dict[str, Any]) -> list[Edit]:
    """The edits of an action that was offered for this very text."""
    if asked.get("key") == ["all"]:
        return await _all_fixes(server, snapshot)
    return list((await _offered_again(server, snapshot, asked)).edits or ())


async def _offered_again(server: ExportServer, snapshot: Snapshot, asked: dict[str, Any]) -> Offer:
    key = asked.get("key")
    row, column = asked.get("at") or (1, 1)
    here = Position(int(row), int(column))
    for offer in _suggested(server, snapshot, Span(here, here), QUICK_FIX):
        if list(offer.key) == key:
            return offer
    report = await server.report(snapshot)
    place = server.place(snapshot.filename)
    for finding in report.findings:
        if [finding.span.start.row, finding.span.start.column] != asked.get("at"):
            continue
        offers = await server.analysis.run(partial(_silencing, snapshot, finding))
        if finding.fixable:
            offered = (await server.analysis.offer(place.root, finding, snapshot.version, place.engine)).fixes
            offers += [_of_fix(finding, fix, QUICK_FIX) for fix in offered if snapshot.takes(fix.edits)]
        for offer in offers:
            if list(offer.key) == key and offer.edits is not None:
                return offer
    raise invalid_params("the code action does not match this version of the text")


async def _all_fixes(server: ExportServer, snapshot: Snapshot) -> list[Edit]:
    place = server.place(snapshot.filename)
    text = await server.analysis.rewritten(place.root, snapshot, place.engine)
    return difference(snapshot, text)
