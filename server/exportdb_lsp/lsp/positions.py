"""Places in a text, between the analyser (rows and code points, from 1) and the client (lines and code units, from 0)."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum
from itertools import accumulate

from exportdb_rules.finding import Position, Span
from lsprotocol import types

# LSP 3.17: these end a line and nothing else does. `str.splitlines` would break at form feeds and U+2028 too.
_LINE_END = re.compile(r"\r\n|\r|\n")


class Encoding(str, Enum):
    """What one unit of `character` is."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    @classmethod
    def named(cls, kind: types.PositionEncodingKind | str | None) -> Encoding:
        """The encoding that was agreed on; UTF-16 where nobody said anything."""
        value = kind.value if isinstance(kind, types.PositionEncodingKind) else kind
        return next((encoding for encoding in cls if encoding.value == value), cls.UTF16)

    def units(self, text: str) -> int:
        """How many code units a text has. A lone surrogate counts like any other character of its size."""
        if self is Encoding.UTF32 or text.isascii():
            return len(text)
        if self is Encoding.UTF8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def code_points(self, text: str, units: int) -> int:
        """How many characters the first `units` code units of a text are.

        A count beyond the end is the end; one inside a character is the start of that character.
        """
        if units <= 0:
            return 0
        if self is Encoding.UTF32 or text.isascii():
            return min(units, len(text))
        width = 1 if self is Encoding.UTF8 else 2
        data = text.encode("utf-8" if width == 1 else "utf-16-le", "surrogatepass")
        cut = min(units * width, len(data))
        if self is Encoding.UTF8:
            while cut < len(data) and 0x80 <= data[cut] < 0xC0:
                cut -= 1
            return len(data[:cut].decode("utf-8", "surrogatepass"))
        if 2 <= cut < len(data) and 0xD8 <= data[cut - 1] < 0xDC and 0xDC <= data[cut + 1] < 0xE0:
            cut -= 2
        return len(data[:cut].decode("utf-16-le", "surrogatepass"))


class LineIndex:
    """Where the lines of a text begin and end. Positions outside the text are taken to its nearest place."""

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        self._ends: list[int] | None = None
        if "\r" in text:
            self._ends = []
            for match in _LINE_END.finditer(text):
                self._ends.append(match.start())
                self._starts.append(match.end())
            self._ends.append(len(text))
        else:
            self._starts += accumulate(len(line) + 1 for line in text.split("\n"))
            self._starts.pop()

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, index: int) -> str:
        """A line (from 0) without its line end."""
        return self.text[self._starts[index] : self._end(index)]

    def offset(self, position: types.Position, encoding: Encoding) -> int:
        """The index into the text of a client's position."""
        line = position.line
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        return self._starts[line] + encoding.code_points(self.line(line), position.character)

    def from_client(self, position: types.Position, encoding: Encoding) -> Position:
        """A client's position as the analyser writes it."""
        offset = self.offset(position, encoding)
        line = bisect_right(self._starts, offset) - 1
        return Position(line + 1, offset - self._starts[line] + 1)

    def to_client(self, position: Position, encoding: Encoding) -> types.Position:
        """The analyser's position as the client wants it."""
        line = position.row - 1
        if line >= len(self._starts):
            line = len(self._starts) - 1
            return types.Position(line, encoding.units(self.line(line)))
        if line < 0:
            return types.Position(0, 0)
        return types.Position(line, encoding.units(self.line(line)[: max(position.column - 1, 0)]))

    def range(self, span: Span, encoding: Encoding) -> types.Range:
        """The analyser's span as the client wants it."""
        return types.Range(self.to_client(span.start, encoding), self.to_client(span.end, encoding))

    def whole(self, line: int, encoding: Encoding) -> types.Range:
        """The code of a line (from 0), without its indentation; of a line that is not there, the nearest."""
        line = min(max(line, 0), len(self._starts) - 1)
        text = self.line(line)
        indent = len(text) - len(text.lstrip())
        start = types.Position(line, encoding.units(text[:indent]))
        return types.Range(start, types.Position(line, encoding.units(text.rstrip()) or start.character))

    def _end(self, index: int) -> int:
        if self._ends is not None:
            return self._ends[index]
        return self._starts[index + 1] - 1 if index + 1 < len(self._starts) else len(self.text)
