"""The bodies of functions, and long tables, parsed when somebody looks at them.

Of a file that others import a check enters a few functions. The rest of it is needed for what it binds: its imports, its
classes, the heads of its functions. So the bodies are left out of the text that is parsed first, and each of them is
parsed by itself, at its own rows and columns, once its statements are asked for. What is asked for is then a plain list
of statements like that of any other function.

Where a body ends is read off the indentation, in a copy of the text without its strings and comments. A text in which
that is no guide (tabs, rows that end in a carriage return, brackets that go on at the margin) is parsed as a whole.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from exportdb_rules.deferred import Deferred
from exportdb_rules.source import Tree, inner_statements, parse, syntax_tree
from exportdb_rules.tables import Table, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

# Shorter bodies, in characters, are parsed with the rest: to come back for them costs more.
SHORTEST: Final = 160

_HIDDEN: Final = re.compile(
    r'(#[^\n]*|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|\'\'\'[^\'\\]*(?:(?:\\.|\'(?!\'\'))[^\'\\]*)*\'\'\''
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\\\n]*(?:\\.[^\'\\\n]*)*\')',
    re.DOTALL,
)
# A pattern that begins with a word is looked for ten times as fast as one that begins with a row.
_DEF: Final = re.compile(r"def\b")
_BEFORE_DEF: Final = re.compile(r"( *)(?:async +)?")
_IN_HEAD: Final = re.compile(r"[()\[\]{}:]")
# What nearly all heads are like: at most one bracket in another, and a body that begins on the next row.
_USUAL_HEAD: Final = re.compile(r" \w+\([^()]*(?:\([^()]*\)[^()]*)*\)(?: -> [^:(){}\n]*)?: *\n")
_TABS: Final = re.compile(r"\n *\t")
_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Body(Deferred[ast.stmt]):
    """The statements of a function."""

    __slots__ = ("_end", "_node", "_row", "_source", "_start")

    def __init__(self, source: Source, node: _FunctionNode, start: int, end: int, row: int) -> None:
        super().__init__()
        self._source = source
        self._node = node
        self._start = start
        self._end = end
        self._row = row

    @property
    def text(self) -> str:
        """The text that it is made of; empty once it was parsed."""
        return self._source.text[self._start : self._end] if self.unread else ""

    @property
    def plain(self) -> str:
        """`plain_text` of its text."""
        return self._source.plain[self._start : self._end] if self.unread else ""

    def read(self) -> list[ast.stmt]:
        """See `Deferred.read`."""
        if not self.unread:
            return self
        found = _statements(self.text, self._row)
        return self.take(self._source.mended(self._node.lineno) if found is None else found)

    def take(self, found: list[ast.stmt]) -> list[ast.stmt]:
        """Be these statements."""
        self.unread = False
        self._source = _NONE
        node = self._node
        node.body = [*found]
        self.extend(found)
        if found:
            node.end_lineno, node.end_col_offset = found[-1].end_lineno, found[-1].end_col_offset
        return node.body

    def dissolve(self) -> None:
        """See `Module.dissolve`: the function that it is the body of refers to it."""
        self.unread = False
        self._source = _NONE
        self._node.body = []

    @property
    def row(self) -> int:
        """The row of its function's `def`."""
        return self._node.lineno


class Source:
    """A text whose bodies and tables are parsed one by one, and its `plain_text`. One that turns out to be no Python gets
    what is left of it when the whole text is mended."""

    __slots__ = ("_mended", "bodies", "plain", "tables", "text")

    def __init__(self, text: str, plain: str) -> None:
        self.text = text
        self.plain = plain
        self.bodies: list[Body] = []
        self.tables: list[Table] = []
        self._mended: _Parts | None = None

    def mended(self, row: int) -> list[ast.stmt]:
        """The body of the function on a row, in the text without its broken statements."""
        return self._parts().bodies.get(row, [])

    def mended_table(self, row: int) -> ast.stmt | None:
        """The statement on a row, in the text without its broken ones."""
        return self._parts().statements.get(row)

    def _parts(self) -> _Parts:
        if self._mended is None:
            self._mended = _Parts(parse(self.text).body)
        return self._mended

    def dissolve(self) -> None:
        """See `Module.dissolve`."""
        for part in (*self.bodies, *self.tables):
            if part.unread:
                part.dissolve()
        self.bodies, self.tables = [], []

    def finish(self) -> Tree | None:
        """Parse all that is left. The tree of the whole text, mended, where it is no Python."""
        bodies = [body for body in self.bodies if body.unread]
        tables = [table for table in self.tables if table.unread]
        self.bodies, self.tables = [], []
        if 2 * (sum(len(body.text) for body in bodies) + sum(table.size for table in tables)) > len(self.text):
            tree = parse(self.text)
            found = _Parts(tree.body)
            for body in bodies:
                body.take(found.bodies.get(body.row, []))
            for table in tables:
                table.take(found.statements.get(table.row))
            return None if tree.problem is None else tree
        for part in (*bodies, *tables):
            part.read()
        return None if self._mended is None else parse(self.text)


# What a body that was parsed refers to.
_NONE: Final = Source("", "")


class _Parts:
    """What stands on which row of a text: the bodies of functions, and the statements at the top level."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self.bodies = {node.lineno: node.body for node in _functions(body)}
        self.statements = {node.lineno: node for node in body}


class _Remains:
    """A text without the parts that are cut out of it, one behind the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        self.done = 0
        self._row = 1
        self._counted = 0

    def row(self, position: int) -> int:
        """The row of a position, which is behind the last that was asked for."""
        self._row += self._text.count("\n", self._counted, position)
        self._counted = position
        return self._row

    def cut(self, start: int, end: int, left: str) -> None:
        """Cut out a part, and leave something for it."""
        self._pieces += [self._text[self.done : start], left]
        self.done = end

    def text(self) -> str:
        """What remains."""
        return "".join([*self._pieces, self._text[self.done :]])


def outline(text: str) -> tuple[list[ast.stmt], Source] | None:
    """The statements of a text, in which the bodies of functions and long tables are parsed when they are looked at.

    None where that cannot be done: then the text is parsed as a whole.
    """
    if "\r" in text or "\f" in text:
        return None
    plain = plain_text(text)
    if "\t" in plain and _TABS.search(plain) is not None:
        return None
    remains = _Remains(text)
    in_bodies: dict[int, tuple[int, int, int]] = {}
    in_tables: dict[int, str] = {}
    for word in _DEF.finditer(plain):
        first = plain.rfind("\n", 0, word.start()) + 1
        head = _BEFORE_DEF.fullmatch(plain, first, word.start())
        if head is None or not first or first < remains.done:
            continue  # no definition, or one in the body of another
        start = _head_end(plain, word.end())
        if start is None:
            continue
        indent = len(head[1])
        following = _end_of(indent).search(plain, start)
        end = len(text) if following is None else following.start() + 1
        code = plain[start:end].rstrip()
        last = start + code.rfind("\n") + 1
        # A statement that ends where the body does: so do the function, and the class that it is the last of.
        column = len(text[last : start + len(code)].encode("utf-8", "surrogatepass"))
        if len(code) < SHORTEST or column < indent + 2:
            continue
        in_tables |= _cut_tables(remains, text, plain, first)
        row = remains.row(first)
        in_bodies[row] = (start, end, row + text.count("\n", first, start))
        rows = text.count("\n", last, end)
        remains.cut(start, end, "\n" * text.count("\n", start, last) + " " * (column - 1) + "0" + "\n" * rows)
    in_tables |= _cut_tables(remains, text, plain, len(text))
    if not in_bodies and not in_tables:
        return None
    try:
        body = syntax_tree(remains.text()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    source = Source(text, plain)
    for node in _functions(body):
        place = in_bodies.pop(node.lineno, None)
        if place is not None:
            node.body = Body(source, node, *place)
            source.bodies.append(node.body)
    for node in body if in_tables else ():
        statement = in_tables.pop(node.lineno, None)
        if statement is not None and isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            source.tables.append(Table(node.value, statement, node.lineno, source.mended_table))
    return None if in_bodies or in_tables else (body, source)


def _cut_tables(remains: _Remains, text: str, plain: str, end: int) -> dict[int, str]:
    """Cut out the elements of the tables up to a position; the text of each table by its row."""
    found: dict[int, str] = {}
    for first, start, last in tables(plain, remains.done, end):
        closed = text.find("\n", last)
        found[remains.row(first)] = text[first : closed if closed >= 0 else len(text)]
        remains.cut(start, last, "\n" * text.count("\n", start, last))
    return found


def plain_text(text: str) -> str:
    """A text with its comments left out and its strings as names, everything else where it is."""
    parts = _HIDDEN.split(text)
    parts[1::2] = [
        " " * len(part) if part[0] == "#" else "x" * len(part) if "\n" not in part else _hidden(part)
        for part in parts[1::2]
    ]
    return "".join(parts)


def _hidden(string: str) -> str:
    """A string as a name, the rows that it goes on in as spaces, but for its end."""
    first, *rest, last = string.split("\n")
    return "\n".join(["x" * len(first), *[" " * len(row) for row in rest], " " * (len(last) - 1) + ")"])


def _head_end(plain: str, position: int) -> int | None:
    """Where the row behind a function's head begins; None where its body begins on the same row."""
    usual = _USUAL_HEAD.match(plain, position)
    if usual is not None:
        return usual.end()
    depth = 0
    for match in _IN_HEAD.finditer(plain, position):
        mark = match[0]
        if mark in "([{":
            depth += 1
        elif mark != ":":
            depth -= 1
        elif depth <= 0:
            end = plain.find("\n", match.end())
            return None if end < 0 or plain[match.end() : end].strip() else end + 1
    return None


_ENDS: Final[dict[int, re.Pattern[str]]] = {}


def _end_of(indent: int) -> re.Pattern[str]:
    """The first row that is no part of a block below a head with this indentation."""
    found = _ENDS.get(indent)
    if found is None:
        found = _ENDS[indent] = re.compile(rf"\n {{0,{indent}}}[^\s)\]}}]")
    return found


def _statements(text: str, row: int) -> list[ast.stmt] | None:
    """The statements of a body that begins on a row of its file; None where they are no Python."""
    try:
        body = syntax_tree("\n" * (row - 2) + "if 1:\n" + text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return body[0].body if len(body) == 1 and isinstance(body[0], ast.If) and not body[0].orelse else None


def _functions(body: list[ast.stmt]) -> Iterator[_FunctionNode]:
    """The functions among some statements and in the blocks and classes there, but not those in other functions."""
    waiting = [*body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _FunctionNode):
            yield node
            continue
        if hasattr(node, "body") or isinstance(node, ast.Match):
            waiting += inner_statements(node)


def may_name(body: list[ast.stmt], name: str) -> bool:
    """Whether it is worth to look for a name in the statements of a function, as far as their text tells."""
    return not isinstance(body, Body) or not body.unread or name in body.text


def mentions_store(text: str, name: str) -> bool:
    """Whether a text may assign to an attribute of that name; where it says no, it does not."""
    if "setattr" in text and name in text:
        return True
    position = text.find("." + name)
    while position >= 0:
        behind = _STORE.match(text, position + 1 + len(name))
        if behind is not None:
            return True
        position = text.find("." + name, position + 1)
    return False


# What may follow a target: an assignment, an annotation, more targets, or the end of a row.
_STORE: Final = re.compile(r"[ \t]*(?:[-+*/%&|^@<>]{0,3}=(?!=)|[:,)\]\n\\#]|\Z)")
