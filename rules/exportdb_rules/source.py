"""Text -> syntax tree, also while the text is half-typed, and positions in it.

The analysis reads trees of the standard library's `ast`: on a 1,900-line model file it parses nine times as fast as
libcst and every node carries its place, where libcst's position metadata costs more than its parse. libcst does what
it is made for, the rewrites (`exportdb_rules.rewrite`), and only when somebody asks for one. `bench/speed.py` prints
both parse times.
"""

from __future__ import annotations

import ast
import gc
import io
import re
import tokenize
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exportdb_rules.disk import read_bytes
from exportdb_rules.finding import START, Position, Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# How many broken statements are set aside before the rest of a file is given up.
MAX_REPAIRS = 12

_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Where a text is no Python."""

    position: Position
    message: str


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed text. `problem` is set where it is not valid as it stands: broken statements were left out of `body`.

    `repaired` are the lines that were parsed instead, each where it was; None of a valid text.
    """

    body: list[ast.stmt]
    problem: SyntaxProblem | None
    repaired: list[str] | None = None


def read(path: Path) -> str:
    """The text of a file, by its encoding declaration (PEP 263) or byte order mark.

    Raises:
        OSError: it cannot be read.
        SyntaxError: its encoding declaration is unknown or contradicts its byte order mark.
        UnicodeDecodeError: it is not in the encoding that it claims.
        ValueError: it holds null bytes, so it is no text.
    """
    return decode(read_bytes(path))


def decode(data: bytes) -> str:
    """The text that the content of a file stands for. Raises what `read` raises, but no OSError."""
    if b"\0" in data:
        raise ValueError("contains null bytes: not a text file")
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding)


def parse(text: str) -> Tree:
    """Parse a text; of a broken one, everything but the broken statements, each line where it was."""
    first: SyntaxProblem | None = None
    lines: list[str] | None = None
    for _ in range(MAX_REPAIRS):
        try:
            tree = syntax_tree(text if lines is None else "\n".join(lines))
        except SyntaxError as error:
            if first is None:
                first = SyntaxProblem(Position(error.lineno or 1, error.offset or 1), error.msg or "invalid syntax")
            if lines is None:
                lines = split_lines(text)
            if not _set_aside(lines, (error.lineno or 1) - 1, error.msg or ""):
                break
        except (ValueError, RecursionError, MemoryError) as error:
            reason = "nested too deeply" if not isinstance(error, ValueError) else str(error)
            return Tree([], first or SyntaxProblem(START, reason))
        else:
            return Tree(tree.body, first, lines)
    return Tree([], first)


def syntax_tree(text: str) -> ast.Module:
    """The tree of a text that is valid Python.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `ast.parse` does.
    """
    # A tree is many objects and no garbage: with the collector on, half of the time goes into looking for some.
    collecting = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    finally:
        if collecting:
            gc.enable()


def parses(text: str) -> bool:
    """Whether a text is Python."""
    try:
        syntax_tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def inner_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    """The statements that stand in another one's own blocks."""
    for part in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        for block in (getattr(part, name, ()) for name in ("body", "orelse", "finalbody")):
            yield from block


def split_lines(text: str) -> list[str]:
    """The lines of a text as Python's parser counts them: `\\n`, `\\r\\n` and `\\r` end a line, and nothing else does."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def _set_aside(lines: list[str], row: int, message: str) -> bool:
    """Replace the statement on a line (from 0) by one that does nothing. False if nothing is left to take away."""
    row = min(row, len(lines) - 1)
    # "expected an indented block after 'if' statement on line 3" blames the line behind the header.
    blamed = re.search(r"statement on line (\d+)|definition on line (\d+)", message)
    if blamed is not None:
        header = int(next(filter(None, blamed.groups()))) - 1
        indent = _indent(lines[header])
        lines[header] = f"{indent}pass"
        return True
    while row > 0 and not lines[row].strip():
        row -= 1
    line = lines[row]
    stripped = line.strip()
    indent = _indent(line)
    opens_block = _next_indent(lines, row) > len(indent) and not stripped.startswith("#")
    replacement = f"{indent}if True:" if opens_block else f"{indent}pass"
    if line == replacement or message.startswith(("unexpected indent", "unindent does not match")):
        # Nothing wrong with the line itself: its indentation is. Take it out, and the block that hangs on it.
        if line == "":
            return False
        lines[row] = ""
        return True
    lines[row] = replacement
    return True


def _indent(line: str) -> str:
    found = _INDENT.match(line)
    return found.group() if found is not None else ""


def _next_indent(lines: list[str], row: int) -> int:
    for line in lines[row + 1 :]:
        if line.strip():
            return len(_indent(line))
    return 0


class Lines:
    """Positions of nodes in a text: `ast` counts UTF-8 bytes, people and editors count characters."""

    __slots__ = ("_rows", "_text", "ascii")

    def __init__(self, text: str) -> None:
        self.ascii = text.isascii()
        self._text = text
        self._rows: list[str] | None = None

    @property
    def rows(self) -> list[str]:
        """The lines of the text."""
        if self._rows is None:
            self._rows = split_lines(self._text)
        return self._rows

    def column(self, row: int, offset: int) -> int:
        """The column (from 1, in code points) of a byte offset on a row (from 1)."""
        if self.ascii or row > len(self.rows):
            return offset + 1
        line = self.rows[row - 1]
        if line.isascii():
            return offset + 1
        data = line.encode("utf-8", "surrogatepass")
        while 0 < offset < len(data) and data[offset] & 0xC0 == 0x80:
            offset -= 1  # before Python 3.12 what stands in an f-string may be placed within a character
        return len(data[:offset].decode("utf-8", "surrogatepass")) + 1

    def span(self, node: ast.AST) -> Span:
        """Where a node stands."""
        row, end_row = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        return Span(
            Position(row, self.column(row, node.col_offset)),  # type: ignore[attr-defined]
            Position(end_row, self.column(end_row, node.end_col_offset)),  # type: ignore[attr-defined]
        )
