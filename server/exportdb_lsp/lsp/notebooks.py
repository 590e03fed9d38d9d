"""Notebooks: all code cells are one module, in their order, and every row of it knows its cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from exportdb_lsp.files.notebook import as_python, has_cell_magic
from exportdb_lsp.lsp.documents import DocumentPart, Snapshot, analysed_name, uri_key
from exportdb_lsp.lsp.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from exportdb_lsp.lsp.documents import Document, OpenNotebook
    from exportdb_lsp.lsp.positions import Encoding


def join(book: OpenNotebook, documents: Mapping[str, Document], encoding: Encoding, base: Path) -> Snapshot:
    """The Python of a notebook as one text; markdown cells and cells in other languages have no part in it."""
    parts: list[DocumentPart] = []
    texts: list[str] = []
    masked: set[int] = set()
    row = 1
    for cell in book.cells:
        document = documents.get(uri_key(cell.document))
        if cell.kind is not types.NotebookCellKind.Code or document is None:
            continue
        if document.language and document.language.lower() not in ("python", "python3", "ipython"):
            continue
        text = as_python(document.text)
        lines = LineIndex(text)
        if text != document.text:
            own = LineIndex(document.text)
            masked.update(row + i for i in range(len(lines)) if lines.line(i) != own.line(i))
        headed = has_cell_magic(document.text)
        parts.append(DocumentPart(document.uri, document.version, row, len(lines), headed))
        texts.append(text)
        row += len(lines)
    if not parts:
        parts.append(DocumentPart(book.uri, book.version, 1, 1))
    return Snapshot(
        book.uri,
        analysed_name(book.uri, base),
        book.version,
        "\n".join(texts),
        tuple(parts),
        encoding,
        notebook=True,
        masked=frozenset(masked),
    )
