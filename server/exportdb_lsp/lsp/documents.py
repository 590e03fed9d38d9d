"""The open texts, as the client has them: changed in place of the disk, and handed out as unchanging snapshots."""

from __future__ import annotations

import errno
import hashlib
import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from exportdb_rules.finding import Position, Span
from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from exportdb_lsp.lsp.positions import Encoding, LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit

# In bytes. Every system takes paths, and names in them, that are no longer; what longer ones it takes is asked of it.
ORDINARY: Final = 140


def uri_of(filename: str) -> str:
    """The URI of a file."""
    return from_fs_path(filename) or filename


def path_of(uri: str) -> Path | None:
    """The file of a URI, which need not exist; None if it stands for none that this machine could have."""
    try:
        path = to_fs_path(uri)
    except ValueError:
        return None
    return Path(path) if path and "\0" not in path and not _is_refused(path) else None


def is_too_long(uri: str) -> bool:
    """Whether a URI names a file, by a name that is longer than this machine takes."""
    return uri.startswith("file:") and len(uri) > ORDINARY and path_of(uri) is None


def brief(uri: str) -> str:
    """A URI for people to read: of one that is very long its two ends."""
    return uri if len(uri) <= 2 * ORDINARY else f"{uri[:ORDINARY]}…{uri[-ORDINARY:]}"


def _is_refused(path: str) -> bool:
    """Whether the system takes a path for none at all: it or a part of it is too long, or no text that it can encode."""
    try:
        if len(os.fsencode(path)) > ORDINARY:
            os.lstat(path)
    except UnicodeEncodeError:
        return True
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG
    return False


def uri_key(uri: str) -> str:
    """What two spellings of one URI have in common: clients escape the same character or not as they like."""
    return unquote(uri)


def digest(text: str) -> str:
    """A short name for a text: two texts with the same name are the same text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


@dataclass(frozen=True)
class DocumentPart:
    """A stretch of a snapshot that the client knows as a document of its own: the whole, or one cell."""

    uri: str
    version: int | None
    first_row: int
    """Its first row within the snapshot, from 1."""
    rows: int
    headed: bool = False
    """A cell whose magic must stay its first line."""


@dataclass(frozen=True)
class Snapshot:
    """A text at one moment. `filename` is how the analyser calls it; it need not exist."""

    uri: str
    filename: str
    version: int
    text: str
    parts: tuple[DocumentPart, ...]
    encoding: Encoding
    notebook: bool = False
    masked: frozenset[int] = frozenset()
    """Rows of a notebook that the client has with another text: IPython's magics, which are no Python."""

    @cached_property
    def lines(self) -> LineIndex:
        """Its lines."""
        return LineIndex(self.text)

    @cached_property
    def digest(self) -> str:
        """What tells it from other texts."""
        return digest(self.text)

    def part_of(self, uri: str) -> DocumentPart | None:
        """The part that a document of the client is."""
        key = uri_key(uri)
        return next((part for part in self.parts if uri_key(part.uri) == key), None)

    def part_at(self, row: int) -> DocumentPart:
        """The part that a row (from 1) stands in."""
        found = self.parts[0]
        for part in self.parts:
            if part.first_row <= row:
                found = part
        return found

    def locate(self, span: Span) -> types.Location:
        """Where a span stands for the client."""
        part = self.part_at(span.start.row)
        return types.Location(part.uri, self.range_in(part, span))

    def locate_row(self, row: int) -> types.Location:
        """Where the code of a whole row (from 1) stands for the client."""
        part = self.part_at(row)
        return types.Location(part.uri, _moved(self.lines.whole(row - 1, self.encoding), part.first_row - 1))

    def range_in(self, part: DocumentPart, span: Span) -> types.Range:
        """A span as a range of one part. What reaches beyond the part ends with it."""
        found = self.lines.range(span, self.encoding)
        last = part.first_row + part.rows - 2
        if found.end.line > last:
            found.end = types.Position(last, self.encoding.units(self.lines.line(last)))
        return _moved(found, part.first_row - 1)

    def takes(self, edits: Iterable[Edit]) -> bool:
        """Whether edits can be made in the client's own documents: each within one part, and none over a masked row."""
        return all(self._takes(edit.span) for edit in edits)

    def _takes(self, span: Span) -> bool:
        first, last = span.start.row, span.end.row
        if span.start == span.end:
            part = self.part_at(first)
            return not part.headed or span.start > Position(part.first_row, 1)
        if span.end.column == 1:
            last -= 1
        return self.part_at(first) == self.part_at(last) and self.masked.isdisjoint(range(first, last + 1))

    def span_of(self, uri: str, range_: types.Range) -> Span:
        """A client's range in one of the parts as a span of the snapshot."""
        part = self.part_of(uri)
        shift = part.first_row - 1 if part is not None else 0
        start, end = (
            self.lines.from_client(types.Position(place.line + shift, place.character), self.encoding)
            for place in (range_.start, range_.end)
        )
        return Span(start, end) if start <= end else Span(end, start)


def _moved(range_: types.Range, up: int) -> types.Range:
    """A range so many lines further up."""
    start, end = (types.Position(max(place.line - up, 0), place.character) for place in (range_.start, range_.end))
    return types.Range(start, end)


@dataclass
class Document:
    """A text document that the client opened."""

    uri: str
    language: str
    version: int
    text: str

    def change(self, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: Encoding) -> None:
        """Apply what the client says was typed, in its order."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                lines = LineIndex(self.text)
                start, end = sorted(lines.offset(p, encoding) for p in (change.range.start, change.range.end))
                self.text = self.text[:start] + change.text + self.text[end:]
            else:
                self.text = change.text


@dataclass
class OpenNotebook:
    """A notebook that the client opened: which cells, in which order."""

    uri: str
    version: int
    cells: list[types.NotebookCell] = field(default_factory=list[types.NotebookCell])


class Documents:
    """All that is open. Cells of notebooks are documents too; `snapshot` gives the notebook that they belong to."""

    def __init__(self, encoding: Encoding = Encoding.UTF16, base: Path | None = None) -> None:
        self.encoding = encoding
        self.base = base or Path.cwd()
        self._documents: dict[str, Document] = {}
        self._notebooks: dict[str, OpenNotebook] = {}
        self._cells: dict[str, str] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._by_name: dict[str, str] = {}
        """Documents by how the analyser calls them."""

    def open(self, item: types.TextDocumentItem) -> None:
        """A document was opened. A second opening replaces the first."""
        self._documents[uri_key(item.uri)] = Document(item.uri, item.language_id, item.version, item.text)
        self._by_name[analysed_name(item.uri, self.base)] = item.uri
        self._touch(item.uri)

    def change(self, params: types.DidChangeTextDocumentParams) -> bool:
        """A document was edited. False if it was never opened."""
        document = self._documents.get(uri_key(params.text_document.uri))
        if document is None:
            return False
        document.change(params.content_changes, self.encoding)
        document.version = params.text_document.version
        self._touch(document.uri)
        return True

    def close(self, uri: str) -> bool:
        """A document was closed. False if it was not open."""
        self._touch(uri)
        return self._gone(uri)

    def _gone(self, uri: str) -> bool:
        document = self._documents.pop(uri_key(uri), None)
        if document is not None:
            self._by_name.pop(analysed_name(document.uri, self.base), None)
        return document is not None

    def open_notebook(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """A notebook was opened, with the texts of its cells."""
        book = params.notebook_document
        self._notebooks[uri_key(book.uri)] = OpenNotebook(book.uri, book.version, list(book.cells))
        for cell in book.cells:
            self._cells[uri_key(cell.document)] = uri_key(book.uri)
        for item in params.cell_text_documents:
            self.open(item)
        self._touch(book.uri)

    def change_notebook(self, params: types.DidChangeNotebookDocumentParams) -> bool:
        """Cells came, went, moved or were edited. False if the notebook was never opened."""
        key = uri_key(params.notebook_document.uri)
        book = self._notebooks.get(key)
        if book is None:
            return False
        book.version = params.notebook_document.version
        cells = params.change.cells
        if cells is not None:
            structure = cells.structure
            if structure is not None:
                array = structure.array
                book.cells[array.start : array.start + array.delete_count] = list(array.cells or ())
                for item in structure.did_open or ():
                    self._cells[uri_key(item.uri)] = key
                    self.open(item)
                for gone in structure.did_close or ():
                    self.close(gone.uri)
                    self._cells.pop(uri_key(gone.uri), None)
            for new in cells.data or ():
                at = next((i for i, cell in enumerate(book.cells) if cell.document == new.document), None)
                if at is not None:
                    book.cells[at] = new
            for text in cells.text_content or ():
                self.change(types.DidChangeTextDocumentParams(text.document, text.changes))
        for cell in book.cells:
            self._cells[uri_key(cell.document)] = key
        self._touch(book.uri)
        return True

    def close_notebook(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """A notebook was closed, and its cells with it."""
        key = uri_key(params.notebook_document.uri)
        self._touch(params.notebook_document.uri)
        book = self._notebooks.pop(key, None)
        gone = [cell.document for cell in book.cells] if book is not None else []
        for uri in [*gone, *(item.uri for item in params.cell_text_documents)]:
            self._gone(uri)
            self._cells.pop(uri_key(uri), None)

    def document(self, uri: str) -> Document | None:
        """The open document of that URI."""
        return self._documents.get(uri_key(uri))

    def notebook_of(self, uri: str) -> OpenNotebook | None:
        """The notebook that a cell belongs to, or that the URI itself names."""
        key = uri_key(uri)
        return self._notebooks.get(self._cells.get(key, key))

    def snapshot(self, uri: str) -> Snapshot | None:
        """What is analysed for a document: itself, or the whole notebook that it is a cell of."""
        book = self.notebook_of(uri)
        key = uri_key(book.uri if book is not None else uri)
        known = self._snapshots.get(key)
        if known is None:
            if book is not None:
                from exportdb_lsp.lsp.notebooks import join

                known = join(book, self._documents, self.encoding, self.base)
            else:
                document = self._documents.get(key)
                if document is None:
                    return None
                filename = analysed_name(document.uri, self.base)
                rows = len(LineIndex(document.text))
                part = DocumentPart(document.uri, document.version, 1, rows)
                known = Snapshot(document.uri, filename, document.version, document.text, (part,), self.encoding)
            self._snapshots[key] = known
        return known

    def snapshots(self) -> list[Snapshot]:
        """Everything that is open and Python: documents and whole notebooks."""
        found: dict[str, Snapshot] = {}
        for document in list(self._documents.values()):
            if self.is_python(document.uri):
                snapshot = self.snapshot(document.uri)
                if snapshot is not None:
                    found[snapshot.filename] = snapshot
        return list(found.values())

    def named(self, filename: str) -> Snapshot | None:
        """The open document or notebook that the analyser calls by that name, if it is Python."""
        uris = [self._by_name[filename]] if filename in self._by_name else []
        for uri in (*uris, *(cell.document for book in self._notebooks.values() for cell in book.cells[:1])):
            if self.is_python(uri):
                snapshot = self.snapshot(uri)
                if snapshot is not None and snapshot.filename == filename:
                    return snapshot
        return None

    def is_python(self, uri: str) -> bool:
        """Whether a document is Python: by what the client calls it, else by its name."""
        document = self.document(uri)
        if document is None:
            return self.notebook_of(uri) is not None
        if document.language:
            return document.language.lower() in ("python", "python3", "ipython")
        return urlsplit(uri).path.endswith((".py", ".pyi"))

    def _touch(self, uri: str) -> None:
        key = uri_key(uri)
        self._snapshots.pop(key, None)
        book = self._cells.get(key)
        if book is not None:
            self._snapshots.pop(book, None)


def analysed_name(uri: str, base: Path) -> str:
    """How the analyser calls a document: by its file; one that has none is taken for a file of `base`."""
    path = path_of(uri)
    if path is not None:
        return str(path)
    name = re.sub(r"[^\w.:-]", "_", uri)
    return str(base / (name if len(name.encode()) <= ORDINARY else f"{name[:24]}-{digest(uri)}.py"))
