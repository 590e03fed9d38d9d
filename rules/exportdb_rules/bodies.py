"""The bodies of functions, parsed when somebody looks at them.

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
from typing import TYPE_CHECKING, Final, SupportsIndex, overload

from exportdb_rules.source import Tree, inner_statements, parse, syntax_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

# Shorter bodies, in characters, are parsed with the rest: to come back for them costs more.
SHORTEST: Final = 160

_HIDDEN: Final = re.compile(
    r'#[^\n]*|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|\'\'\'[^\'\\]*(?:(?:\\.|\'(?!\'\'))[^\'\\]*)*\'\'\''
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\\\n]*(?:\\.[^\'\\\n]*)*\'',
    re.DOTALL,
)
# A pattern that begins with a word is looked for ten times as fast as one that begins with a row.
_DEF: Final = re.compile(r"def\b")
_BEFORE_DEF: Final = re.compile(r"( *)(?:async +)?")
_IN_HEAD: Final = re.compile(r"[()\[\]{}:]")
_TABS: Final = re.compile(r"\n *\t")
_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Body(list[ast.stmt]):
    """The statements of a function; they are parsed when they are first looked at, and `node.body` is theirs from then
    on. It is a list of `ast` in all that reads it; nobody changes it before."""

    __slots__ = ("_end", "_node", "_row", "_source", "_start")

    def __init__(self, source: Source, node: _FunctionNode, start: int, end: int, row: int) -> None:
        super().__init__()
        self._source: Source | None = source
        self._node = node
        self._start = start
        self._end = end
        self._row = row

    @property
    def text(self) -> str:
        """The text that it is made of; empty once it was parsed."""
        return "" if self._source is None else self._source.text[self._start : self._end]

    def read(self) -> list[ast.stmt]:
        """Parse it, unless that was done."""
        source = self._source
        if source is None:
            return self
        found = _statements(self.text, self._row)
        return self.take(source.mended(self._node.lineno) if found is None else found)

    def take(self, found: list[ast.stmt]) -> list[ast.stmt]:
        """Be these statements."""
        self._source = None
        node = self._node
        node.body = [*found]
        self.extend(found)
        if found:
            node.end_lineno, node.end_col_offset = found[-1].end_lineno, found[-1].end_col_offset
        return node.body

    def dissolve(self) -> None:
        """See `Module.dissolve`: the function that it is the body of refers to it."""
        self._source = None
        self._node.body = []

    @property
    def row(self) -> int:
        """The row of its function's `def`."""
        return self._node.lineno

    @property
    def unread(self) -> bool:
        """Whether nobody has looked at it."""
        return self._source is not None

    def __iter__(self) -> Iterator[ast.stmt]:
        return iter(self.read()) if self._source is not None else super().__iter__()

    def __reversed__(self) -> Iterator[ast.stmt]:
        return reversed(self.read()) if self._source is not None else super().__reversed__()

    def __len__(self) -> int:
        return len(self.read()) if self._source is not None else super().__len__()

    @overload
    def __getitem__(self, index: SupportsIndex) -> ast.stmt: ...
    @overload
    def __getitem__(self, index: slice) -> list[ast.stmt]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> ast.stmt | list[ast.stmt]:
        return self.read()[index] if self._source is not None else super().__getitem__(index)

    def __contains__(self, item: object) -> bool:
        return item in self.read() if self._source is not None else super().__contains__(item)


class Source:
    """A text whose bodies are parsed one by one. One that turns out to be no Python gets what is left of it when the whole
    text is mended."""

    __slots__ = ("_mended", "bodies", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.bodies: list[Body] = []
        self._mended: dict[int, list[ast.stmt]] | None = None

    def mended(self, row: int) -> list[ast.stmt]:
        """The body of the function on a row, in the text without its broken statements."""
        if self._mended is None:
            self._mended = {node.lineno: node.body for node in _functions(parse(self.text).body)}
        return self._mended.get(row, [])

    def dissolve(self) -> None:
        """See `Module.dissolve`."""
        for body in self.bodies:
            if body.unread:
                body.dissolve()
        self.bodies = []

    def finish(self) -> Tree | None:
        """Parse every body that is left. The tree of the whole text, mended, where it is no Python."""
        left = [body for body in self.bodies if body.unread]
        self.bodies = []
        if 2 * sum(len(body.text) for body in left) > len(self.text):
            tree = parse(self.text)
            found = {node.lineno: node.body for node in _functions(tree.body)}
            for body in left:
                body.take(found.get(body.row, []))
            return None if tree.problem is None else tree
        for body in left:
            body.read()
        return None if self._mended is None else parse(self.text)


def outline(text: str) -> tuple[list[ast.stmt], Source] | None:
    """The statements of a text, in which the bodies of functions are parsed when they are looked at.

    None where that cannot be done: then the text is parsed as a whole.
    """
    if "def " not in text or "\r" in text or "\f" in text:
        return None
    plain = plain_text(text)
    if "\t" in plain and _TABS.search(plain) is not None:
        return None
    pieces: list[str] = []
    found: dict[int, tuple[int, int, int]] = {}
    done = row = counted = 0
    for word in _DEF.finditer(plain):
        first = plain.rfind("\n", 0, word.start()) + 1
        head = _BEFORE_DEF.fullmatch(plain, first, word.start())
        if head is None or not first or first < done:
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
        row += text.count("\n", counted, first)
        inside = row + 1 + text.count("\n", first, start)
        found[row + 1] = (start, end, inside)
        counted = first
        pieces += [text[done:start], "\n" * text.count("\n", start, last), " " * (column - 1) + "0"]
        pieces.append("\n" * text.count("\n", last, end))
        done = end
    if not found:
        return None
    try:
        body = syntax_tree("".join([*pieces, text[done:]])).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    source = Source(text)
    for node in _functions(body):
        place = found.pop(node.lineno, None)
        if place is not None:
            node.body = Body(source, node, *place)
            source.bodies.append(node.body)
    return None if found else (body, source)


def plain_text(text: str) -> str:
    """A text with its comments left out and its strings as names, everything else where it is."""
    return _HIDDEN.sub(_hidden, text)


def _hidden(match: re.Match[str]) -> str:
    """A comment as spaces, a string as a name; the rows that a string goes on in as spaces, but for its end."""
    whole = match[0]
    if whole[0] == "#":
        return " " * len(whole)
    if "\n" not in whole:
        return "x" * len(whole)
    first, *rest, last = whole.split("\n")
    return "\n".join(["x" * len(first), *[" " * len(row) for row in rest], " " * (len(last) - 1) + ")"])


def _head_end(plain: str, position: int) -> int | None:
    """Where the row behind a function's head begins; None where its body begins on the same row."""
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
