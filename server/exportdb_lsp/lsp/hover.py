"""Hover: the page of the rule that speaks of a place, what the last export saw or said there, and the shape of a tensor."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.links import case_page, graph_break_page, rule_page
from exportdb_lsp.lsp import suppression_comments
from exportdb_lsp.lsp.actions import MAX_FINDINGS
from exportdb_lsp.lsp.analysis import Superseded
from exportdb_lsp.lsp.errors import content_modified

if TYPE_CHECKING:
    from exportdb_rules.finding import Finding, Span
    from exportdb_rules.no_fix import NoFix
    from exportdb_rules.shown_shapes import ShownShape

    from exportdb_lsp.confirm.result import ExportResult, Traced
    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

# A line that became more operators than this says enough with the first ones.
_MAX_OPERATORS: Final = 12
_MAX_LINES: Final = 40


def register(server: ExportServer) -> None:
    """textDocument/hover."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        snapshot = server.documents.snapshot(uri)
        if snapshot is None or not server.documents.is_python(uri):
            return None
        place = snapshot.span_of(uri, types.Range(params.position, params.position)).start
        named = suppression_comments.named_at(snapshot.text, place)
        if named is not None:
            rule, name, span = named
            return _shown(server, suppression_comments.described(rule, name), snapshot.locate(span).range)
        try:
            report = await server.report(snapshot)
            shapes = await shapes_of(server, snapshot)
            here = [f for f in report.findings if f.span.start <= place <= f.span.end][:MAX_FINDINGS]
            reasons = [await _no_fix(server, snapshot, finding) for finding in here]
        except Superseded:
            raise content_modified() from None
        pieces = [_page(finding, no_fix) for finding, no_fix in zip(here, reasons, strict=True)]
        span: Span | None = min((f.span for f in here), default=None)
        pieces += [_failed(result) for result in _failed_at(server, snapshot.filename, place.row)]
        traced = traced_at(server, snapshot.filename, place.row)
        if traced:
            pieces.insert(0, _line(traced))
        else:
            shown = next((one for one in shapes if one.span.start <= place <= one.span.end), None)
            if shown is not None:
                pieces.insert(0, f"`{shown.name}: {shown.shape}`")
                span = span or shown.span
        if not pieces:
            return None
        range_ = snapshot.locate(span).range if span is not None else None
        return _shown(server, "\n\n---\n\n".join(pieces), range_)


async def shapes_of(server: ExportServer, snapshot: Snapshot) -> tuple[ShownShape, ...]:
    """The sizes of the tensors of a text, as far as its code says. Raises Superseded when the text changed meanwhile."""
    place = server.place(snapshot.filename)
    return await server.analysis.shapes(place.root, snapshot.filename, snapshot.version, place.engine)


def _shown(server: ExportServer, text: str, range_: types.Range | None) -> types.Hover:
    kind = types.MarkupKind.Markdown if server.client.markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, text if server.client.markdown else plain(text)), range_)


def traced_at(server: ExportServer, filename: str, row: int | None = None) -> list[Traced]:
    """What exports saw on a row, or in all of a file, as far as the text still is the one that was exported."""
    found: dict[tuple[int, str], Traced] = {}
    for verdict in server.verdicts.all():
        traced = [t for t in verdict.result.traced if t.filename == filename and row in (None, t.row)]
        if traced and verdict.current(server.digest):
            for one in traced:
                found.setdefault((one.row, one.name), one)
    return [found[key] for key in sorted(found)]


def _failed_at(server: ExportServer, filename: str, row: int) -> list[ExportResult]:
    """Exports that came to grief on a row; of modes that say the same in the same words, one."""
    found: dict[tuple[str, str, str], ExportResult] = {}
    for verdict in server.verdicts.all():
        result = verdict.result
        frame = result.frame
        here = frame is not None and (frame.filename, frame.row) == (filename, row)
        if here and result.outcome is not Outcome.OK and verdict.current(server.digest):
            found.setdefault((result.target, result.message, result.detail), result)
    return list(found.values())


def _failed(result: ExportResult) -> str:
    """The verdict in words, what torch would have done, and its own text below."""
    references = [f"`{result.exception}`"] if result.exception else []
    if result.graph_break_id:
        references.append(f"[{result.graph_break_id}]({graph_break_page(result.graph_break_id)})")
    if result.case:
        references.append(f"[{result.case}]({case_page(result.case)})")
    advice = [f"- {hint}" for hint in result.hints]
    advice += [f"- torch suggests `{name} = {fix}`" for name, fix in result.suggested_fixes.items()]
    paragraphs = [
        f"**Last export** of `{result.target}` ({result.how}): {result.message}",
        " · ".join(references),
        "\n".join(advice),
    ]
    text = result.detail.strip().splitlines()
    if text:
        cut = ["…"] if len(text) > _MAX_LINES else []
        paragraphs += ["message of torch:", "\n".join(["```text", *text[:_MAX_LINES], *cut, "```"])]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


async def _no_fix(server: ExportServer, snapshot: Snapshot, finding: Finding) -> NoFix | None:
    """Why a finding has no fix; None where it has one. Raises Superseded when the text changed meanwhile."""
    place = server.place(snapshot.filename)
    return (await server.analysis.offer(place.root, finding, snapshot.version, place.engine)).no_fix


def _page(finding: Finding, no_fix: NoFix | None) -> str:
    from exportdb_rules.page import page as page_of
    from exportdb_rules.rule import find

    verdict = ", ".join(f"{mode.value}: **{verdict.value}**" for mode, verdict in finding.verdict.items())
    verdict = f"{finding.goal}: {verdict}" if finding.goal else verdict
    entry = f" · reached from `{finding.entry}`" if finding.entry else ""
    head = f"**{finding.code}** [{finding.name}]({rule_page(finding.name)}) · {verdict} · {finding.confidence.value}"
    rule = find(finding.code)
    page = page_of(rule) if rule is not None else ""
    reason = f"\n\n**No fix:** {no_fix.text}" if no_fix is not None else ""
    return f"{head}{entry}\n\n{finding.message}{reason}\n\n{page}".strip()


def _line(traced: list[Traced]) -> str:
    rows: list[str] = []
    for one in traced:
        value = f"`{one.name}: {one.dtype}{one.shape}`" if one.name else f"`{one.dtype}{one.shape}`"
        rows.append(f"- {value}" if one.dtype or one.shape else "- exported")
        if one.operators:
            shown = ", ".join(f"`{name}`" for name in one.operators[:_MAX_OPERATORS])
            rest = len(one.operators) - _MAX_OPERATORS
            rows.append(f"  {shown}" + (f" and {rest} more" if rest > 0 else ""))
    return "**Last export**\n\n" + "\n".join(rows)


def plain(markdown: str) -> str:
    """Markdown for clients that show it as it is: without links and emphasis."""
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", markdown)
    return re.sub(r"\*\*([^*]+)\*\*", r"\1", text)
