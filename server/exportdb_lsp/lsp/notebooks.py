"""Notebooks: all code cells are one module, in their order, and every row of it knows its cell."""

from __future__ import annotations

import io
import re
import tokenize
from typing import TYPE_CHECKING

from lsprotocol import types

from exportdb_lsp.lsp.documents import Part, Snapshot, analysed_name, uri_key
from exportdb_lsp.lsp.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from exportdb_lsp.lsp.documents import Document, Notebook
    from exportdb_lsp.lsp.positions import Encoding

# IPython's additions to Python, by line: `%time f()`, `!pip install x`, `f?`, `out = !ls`, `files = %sx ls`.
_LINE_MAGIC = re.compile(r"\s*(?:[%!?]|[\w.]+\?{1,2}\s*$|[\w, ]+=\s*[%!](?!=))")
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
# Cell magics whose cell is Python all the same.
_PYTHON_MAGICS = frozenset({"capture", "prun", "time", "timeit"})


def join(book: Notebook, documents: Mapping[str, Document], encoding: Encoding, base: Path) -> Snapshot:
    """The Python of a notebook as one text; markdown cells and cells in other languages have no part in it."""
    parts: list[Part] = []
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
        headed = _CELL_MAGIC.match(document.text) is not None
        parts.append(Part(document.uri, document.version, row, len(lines), headed))
        texts.append(text)
        row += len(lines)
    if not parts:
        parts.append(Part(book.uri, book.version, 1, 1))
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


def as_python(cell: str) -> str:
    """The text of a cell with what only IPython understands taken out, every other character where it was.

    As IPython does it, a line that goes on with the one above (within brackets, within a string) is no magic: there
    `% width` is a remainder and `!= 0` a comparison.
    """
    magic = _CELL_MAGIC.match(cell)
    if magic is not None and magic[1] not in _PYTHON_MAGICS:
        return re.sub(r"[^\r\n]", " ", cell)
    if not any(sign in cell for sign in "%!?"):
        return cell
    pieces = re.split(r"(\r\n|\r|\n)", cell)
    for i in range(0, len(pieces), 2):
        line = pieces[i]
        if _LINE_MAGIC.match(line) and not _goes_on("".join(pieces[:i])):
            indent = line[: len(line) - len(line.lstrip())]
            # `pass` keeps a block alive that held nothing else.
            pieces[i] = (indent + "pass").ljust(len(line))
    return "".join(pieces)


def _goes_on(above: str) -> bool:
    """Whether the next line is a part of a statement that `above` began."""
    if above.rstrip("\r\n").endswith("\\"):
        return True
    try:
        for _ in tokenize.generate_tokens(io.StringIO(above).readline):
            pass
    except tokenize.TokenError as error:
        # A string or a bracket is open at the end; other texts that are no Python say nothing of the next line.
        return "multi-line" in str(error) or "triple-quoted" in str(error)
    except SyntaxError:
        pass
    return False
