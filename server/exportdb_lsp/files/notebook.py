"""Jupyter notebooks: their Python as one text, where each row of it stands, and how changed cells are written back.

Only the sources of changed cells are written anew; everything else of the file stays as it is, byte for byte. That is
why the JSON is edited in place, where a library that reads and writes notebooks would write all of it its own way.
"""

from __future__ import annotations

import io
import json
import re
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules.disk import LARGEST_KEPT, read_bytes

from exportdb_lsp.files.rewriting import FileError, TextFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX: Final = ".ipynb"
# IPython's additions to Python, by line: `%time f()`, `!pip install x`, `f?`, `out = !ls`, `files = %sx ls`.
_LINE_MAGIC = re.compile(r"\s*(?:[%!?]|[\w.]+\?{1,2}\s*$|[\w, ]+=\s*[%!](?!=))")
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
# Cell magics whose cell is Python all the same.
_PYTHON_MAGICS = frozenset({"capture", "prun", "time", "timeit"})
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among all cells, from 1, its text, and where its source stands in the file's text."""

    number: int
    text: str
    start: int
    end: int

    @property
    def headed(self) -> bool:
        """Whether a magic must stay its first line."""
        return has_cell_magic(self.text)


@dataclass(frozen=True)
class Notebook:
    """A notebook. `text` is the Python of its code cells, each below a comment that tells its number."""

    file: TextFile
    cells: tuple[Cell, ...]
    text: str
    starts: tuple[int, ...]
    """The row of `text`, from 1, that each cell begins with."""

    def place(self, row: int) -> tuple[int, int]:
        """The number of the cell that a row of `text` (from 1) stands in, and its row in that cell."""
        index = max([i for i, start in enumerate(self.starts) if start <= row], default=0)
        return (self.cells[index].number, max(row - self.starts[index] + 1, 1)) if self.cells else (1, row)

    def cell(self, number: int) -> str:
        """The text of a cell."""
        return next((cell.text for cell in self.cells if cell.number == number), "")

    def changed(self, text: str) -> dict[int, str]:
        """The cells that differ when this is the Python of the notebook, by number.

        Raises:
            FileError: a cell, or a line of IPython's, is not in it any more.
        """
        sources = _split(text, [cell.number for cell in self.cells])
        found: dict[int, str] = {}
        for cell, source in zip(self.cells, sources, strict=True):
            restored = _restored(source, cell)
            if restored != cell.text:
                found[cell.number] = restored
        return found

    def with_text(self, text: str) -> str:
        """The text of the file when this is the Python of the notebook. Raises FileError as `changed` does."""
        changed = self.changed(text)
        parts: list[str] = []
        done = 0
        for cell in self.cells:
            if cell.number in changed:
                raw = self.file.text[cell.start : cell.end]
                parts += [self.file.text[done : cell.start], _rendered(raw, changed[cell.number])]
                done = cell.end
        return "".join([*parts, self.file.text[done:]])


def read_notebook(path: Path) -> Notebook:
    """Read a notebook. Raises FileError where it cannot be read, or is none that can be understood."""
    try:
        data = read_bytes(path, LARGEST_KEPT)
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}") from None
    return parse_notebook(path, data)


def parse_notebook(path: Path, data: bytes) -> Notebook:
    """The notebook with this content. Raises FileError where it is none, or of a format before 4."""
    encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    try:
        text = data.decode(encoding)
        content: object = json.loads(text)
    except UnicodeDecodeError as error:
        raise FileError(f"cannot be decoded: byte {error.start} is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise FileError(f"not a notebook: invalid JSON: {error}") from None
    if not isinstance(content, dict):
        raise FileError("not a notebook: not a JSON object")
    book = cast("dict[str, Any]", content)
    version: object = book.get("nbformat")
    if not isinstance(version, int):
        raise FileError("not a notebook: no nbformat")
    if version < 4 or not isinstance(book.get("cells"), list):
        raise FileError(f"notebook format {version} is not supported, only 4: open and save it with Jupyter")
    cells = tuple(_cells(text, book)) if _is_python(book) else ()
    texts: list[str] = []
    starts: list[int] = []
    row = 1
    for cell in cells:
        source = as_python(cell.text, marked=True)
        # A comment at the end of a cell is not one above the next cell.
        piece = f"\n{_mark(cell.number)}\n{source}\n"
        starts.append(row + 2)
        texts.append(piece)
        row += piece.count("\n")
    return Notebook(TextFile(path, data, text, encoding), cells, "".join(texts), tuple(starts))


def _is_python(book: dict[str, Any]) -> bool:
    metadata = _table(book.get("metadata"))
    for key, field in (("kernelspec", "language"), ("language_info", "name")):
        language = _table(metadata.get(key)).get(field)
        if isinstance(language, str):
            return language.lower() in ("python", "python3", "ipython")
    return True


def _table(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _cells(text: str, book: dict[str, Any]) -> Iterator[Cell]:
    for number, (value, (start, end)) in enumerate(zip(book["cells"], _sources(text), strict=True), 1):
        cell = _table(value)
        if cell.get("cell_type") != "code" or start == end:
            continue
        source = cell.get("source")
        written = "".join(map(str, cast("list[object]", source))) if isinstance(source, list) else str(source)
        magic = _CELL_MAGIC.match(written)
        if magic is None or magic[1] in _PYTHON_MAGICS:
            yield Cell(number, written, start, end)


def _sources(text: str) -> list[tuple[int, int]]:
    """Where the source of each cell stands in the text; of a cell without one, nowhere: an empty place."""
    found: list[tuple[int, int]] = []
    for key, start, _ in _members(text, _skip(text, 0)):
        if key == "cells":
            found = []
            for inner, end in _elements(text, start):
                place = (inner, inner)
                if text[inner] == "{":
                    place = next(((a, b) for name, a, b in _members(text, inner) if name == "source"), place)
                found.append(place if end >= place[1] else (inner, inner))
    return found


def _members(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """The members of the object at a place: key, and where the value begins and ends."""
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        start = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, start)
        yield key, start, end
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at


def _elements(text: str, at: int) -> Iterator[tuple[int, int]]:
    at = _skip(text, at + 1)
    while text[at] != "]":
        _, end = _DECODER.raw_decode(text, at)
        yield at, end
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at


def _rendered(raw: str, text: str) -> str:
    """A source as JSON, in the way in which the old one `raw` is written: as a list of lines or as one string."""
    escaped = raw.isascii() and "\\u" in raw
    if not raw.startswith("["):
        return json.dumps(text, ensure_ascii=escaped)
    known = {json.loads(raw[a:b]): raw[a:b] for a, b in _elements(raw, 0)}
    lines = [known.get(line) or json.dumps(line, ensure_ascii=escaped) for line in re.findall(r"[^\n]*\n|[^\n]+", text)]
    places = list(_elements(raw, 0))
    if not places or not lines:
        return "[" + ", ".join(lines) + "]"
    between = raw[places[0][1] : places[1][0]] if len(places) > 1 else "," + raw[1 : places[0][0]]
    return raw[: places[0][0]] + between.join(lines) + raw[places[-1][1] :]


def _mark(number: int) -> str:
    return f"# %% cell {number}"


def _split(text: str, numbers: list[int]) -> list[str]:
    """The text of each cell within the Python of a notebook."""
    pieces: list[str] = []
    rest = text
    for number in reversed(numbers):
        rest, mark, source = rest.rpartition(f"\n{_mark(number)}\n")
        if not mark:
            raise FileError("not fixed: a fix would span several cells")
        pieces.insert(0, source.removesuffix("\n"))
    if rest.strip() and pieces:
        # What was put above everything belongs to the first cell.
        pieces[0] = rest.strip("\n") + "\n" + pieces[0]
    return pieces


def _restored(source: str, cell: Cell) -> str:
    """The text of a cell with IPython's own lines back in their places."""
    old, new = cell.text.split("\n"), source.split("\n")
    magic = {i: line for i, line in enumerate(as_python(cell.text, marked=True).split("\n")) if line != old[i]}
    places: dict[str, int] = {}
    for i, line in enumerate(new):
        places[line] = i
    for i, line in magic.items():
        at = places.get(line)
        if at is None or (i == 0 and cell.headed and at != 0):
            raise FileError(f"not fixed: a fix would move an IPython magic in cell {cell.number}")
        new[at] = old[i]
    return "\n".join(new)


def has_cell_magic(cell: str) -> bool:
    """Whether a cell begins with a magic that is about all of it: `%%time`."""
    return _CELL_MAGIC.match(cell) is not None


def as_python(cell: str, *, marked: bool = False) -> str:
    """The text of a cell with what only IPython understands taken out, every other character where it was.

    As IPython does it, a line that goes on with the one above (within brackets, within a string) is no magic: there
    `% width` is a remainder and `!= 0` a comparison. With `marked` each line that is taken out tells its number.
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
            pieces[i] = (indent + "pass").ljust(len(line)) + (f"  # magic {i // 2 + 1}" if marked else "")
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
