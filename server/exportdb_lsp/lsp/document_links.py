"""Links from the codes of rules, ids of graph breaks and names of cases in comments and docstrings to their pages."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING, Final

from exportdb_rules.finding import Position, Span
from exportdb_rules.suppression import comments
from lsprotocol import types

from exportdb_lsp.links import case_page, graph_break_page, rule_page
from exportdb_lsp.lsp.documents import uri_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_lsp.lsp.positions import LineIndex
    from exportdb_lsp.lsp.server import ExportServer

# Names of cases without an underscore (`dictionary`) are words.
_WORD: Final = re.compile(r"\b(?:(EDB\d{3,4})|(GB\d{4})|([a-z][a-z0-9]*(?:_[a-z0-9]+)+))\b")


def register(server: ExportServer) -> None:
    """textDocument/documentLink."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        uri = params.text_document.uri
        snapshot = server.documents.snapshot(uri)
        if snapshot is None or not server.documents.is_python(uri):
            return []
        lines = snapshot.lines
        found = await server.analysis.run(lambda: list(links_in(lines)))
        located = [(snapshot.locate(span), target, title) for span, target, title in found]
        tooltips = server.client.link_tooltips
        return [
            types.DocumentLink(place.range, target=target, tooltip=title if tooltips else None)
            for place, target, title in located
            if uri_key(place.uri) == uri_key(uri)
        ]


def links_in(lines: LineIndex) -> Iterator[tuple[Span, str, str]]:
    """Places in the comments and docstrings of a text, the page of each, and what it is about."""
    for start, text in _prose(lines):
        for match in _WORD.finditer(text):
            page = _page(*match.groups())
            if page is not None:
                row, column = start.row, start.column + match.start()
                yield Span(Position(row, column), Position(row, column + len(match[0]))), *page


def _page(code: str | None, graph_break: str | None, case: str | None) -> tuple[str, str] | None:
    from exportdb_rules import verdict_table
    from exportdb_rules.rule import find

    if code is not None:
        rule = find(code)
        return None if rule is None else (rule_page(rule.name), f"{rule.name}: {rule.summary}")
    if graph_break is not None:
        return graph_break_page(graph_break), f"torch's page of the graph break {graph_break}"
    if case is not None and case in verdict_table.records(verdict_table.versions()[-1]):
        return case_page(case), f"the case {case}"
    return None


def _prose(lines: LineIndex) -> Iterator[tuple[Position, str]]:
    """What is written for people, line by line, with the place where each begins."""
    if _WORD.search(lines.text) is None:
        return
    for row, column, text in comments(lines.text):
        yield Position(row, column + 1), text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(lines.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) or not node.body:
            continue
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            for row in range(first.lineno, (first.end_lineno or first.lineno) + 1):
                yield Position(row, 1), lines.line(row - 1)
