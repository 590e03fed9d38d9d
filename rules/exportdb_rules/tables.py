"""Long tables at the top level of a file, whose elements are parsed when somebody looks at them.

A file that maps thousands of names to each other is imported for one of its tables, or for a function beside them. Of a
table the text that is parsed first has the brackets alone: `NAMES = {`, rows with nothing on them, and `}`.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from exportdb_rules.deferred import Deferred
from exportdb_rules.source import syntax_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Shorter ones, in characters, are parsed with the rest: to come back for them costs more.
SHORTEST: Final = 400

# What stands between a name and the first element: the brackets of a dict or list that goes on over several rows, or of a
# call, or of a call with a dict or list in it. A pattern that begins with a sign is found faster than one that begins with a row.
_OPENED: Final = re.compile(r"= ?(?:\[|\{|[\w.]+\([\[{]?) *\n")
_NAME: Final = re.compile(r"(?!__all__\b)\w+(?: *:[^\n=]*)? *")
_OPENING: Final = re.compile(r"[(\[{]+")
_CLOSED_BY: Final = {"{": "}", "[": "]", "(": ")", "([": "])", "({": "})"}
_MARGIN: Final = re.compile(r"\n(?=\S)")
# Brackets that are closed in the order in which they were opened, at most two in one another.
_CLOSED: Final = re.compile(
    r"[^()\[\]{}]*(?:[(\[{][^()\[\]{}]*(?:[(\[{][^()\[\]{}]*[)\]}][^()\[\]{}]*)*[)\]}][^()\[\]{}]*)*"
)
# A comprehension has the brackets of a display.
_FOR: Final = re.compile(r"\bfor\b")
# The first element of a dict; a set has the same brackets.
_ITEM: Final = re.compile(r"\s*(?:\*\*|[^\s,:()\[\]{}]+\s*:)")


def tables(plain: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The tables whose statements begin in a part of a text, of which `plain_text` is given: where the statement begins,
    where the row behind the opening brackets does, and where that of the closing ones does."""
    for match in _OPENED.finditer(plain, start, end):
        first = plain.rfind("\n", 0, match.start()) + 1
        if not _NAME.fullmatch(plain, first, match.start()):
            continue  # in a class, say, whose end is far: it is looked for of tables alone
        inside = match.end()
        margin = _MARGIN.search(plain, inside - 1, end)
        if margin is None or margin.end() - inside < SHORTEST:
            continue
        opening = _OPENING.search(match[0])
        elements = plain[inside : margin.end()]
        if (
            opening is not None
            and _row(plain, margin.end()).rstrip() == _CLOSED_BY[opening[0]]
            and (opening[0][-1] != "{" or _ITEM.match(elements) is not None)
            and _CLOSED.fullmatch(elements) is not None
            and _FOR.search(elements) is None
        ):
            yield first, inside, margin.end()


def _row(text: str, start: int) -> str:
    """The row that begins at a position."""
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


class Table:
    """A table that was parsed without its elements. `mended` gives the statement on a row where the table is no Python."""

    __slots__ = ("_inner", "_lists", "_mended", "_node", "_text", "row")

    def __init__(self, value: ast.expr, text: str, row: int, mended: Callable[[int], ast.stmt | None]) -> None:
        self._inner = isinstance(value, ast.Call) and bool(value.args)
        self._node = self._displayed(value)
        self._text = text
        self._mended = mended
        self.row = row
        self._lists: dict[str, Elements] = {}
        for field in _FIELDS[type(self._node)]:
            self._lists[field] = Elements(self, field)
            setattr(self._node, field, self._lists[field])

    @property
    def unread(self) -> bool:
        """Whether nobody has looked at it."""
        return bool(self._lists)

    @property
    def size(self) -> int:
        """How long its statement is, in characters."""
        return len(self._text)

    def read(self) -> None:
        """Parse it, unless that was done."""
        if self._lists:
            try:
                found = syntax_tree("\n" * (self.row - 1) + self._text).body[0]
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self.take(self._mended(self.row))
            else:
                self.take(found)

    def take(self, statement: ast.stmt | None) -> None:
        """Have the elements of this statement."""
        lists, self._lists = self._lists, {}
        value = getattr(statement, "value", None)
        whole = None if value is None else self._displayed(value)
        for field, deferred in lists.items():
            found = [*getattr(whole, field)] if type(whole) is type(self._node) else []
            setattr(self._node, field, found)
            deferred.fill(found)

    def _displayed(self, value: ast.expr) -> ast.expr:
        """The node that the elements belong to: that of the innermost bracket on the row of the name."""
        return value.args[0] if self._inner and isinstance(value, ast.Call) else value

    def dissolve(self) -> None:
        """See `Module.dissolve`: the node that it has the elements of refers to it."""
        if self._lists:
            self.take(None)


class Elements(Deferred[ast.AST]):
    """A field of a table's node."""

    __slots__ = ("_field", "_table")

    def __init__(self, table: Table, field: str) -> None:
        super().__init__()
        self._table = table
        self._field = field

    def read(self) -> list[ast.AST]:
        """See `Deferred.read`."""
        self._table.read()
        return self

    def fill(self, found: list[ast.AST]) -> None:
        """Be these elements."""
        self.unread = False
        self.extend(found)


_FIELDS: Final[dict[type[ast.expr], tuple[str, ...]]] = {
    ast.Dict: ("keys", "values"),
    ast.List: ("elts",),
    ast.Call: ("args", "keywords"),
}
