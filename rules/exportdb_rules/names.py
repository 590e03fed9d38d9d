"""What a file binds and passes on, read off its text without its functions: the index that `from … import *` is asked.

A package may pass on names of thousands of files by `*`. To know which of them binds one, none is analysed: the bodies
of functions and classes are left out of a text, and what is left, a small part of it, is parsed.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import absolute_import, is_main_guard, overloads
from exportdb_rules.source import syntax_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# A definition at the top level, whose head ends on its row, and the indented and empty rows below it.
_BODY: Final = re.compile(
    r"^((?:async[ \t]+def|def|class)\b[^\n]*:[ \t]*(?:#[^\n]*)?)\n(?:[ \t]+[^\n]*(?:\n|\Z)|[ \t]*\n)+", re.MULTILINE
)
# A name at the top level that is given a value over several rows, between brackets.
_VALUE: Final = re.compile(
    r"^(?!__all__)(\w+)[ \t]*(?::[^\n=]*)?=[^\n=]*[(\[{][ \t]*(?:#[^\n]*)?\n(?:(?:[ \t][^\n]*)?\n)+[)\]}]+[ \t]*$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Names:
    """The names of a file's top level.

    `bound` are those that it binds itself, `stars` the modules that it takes all names of, by their full names in the
    order of the text, `public` its `__all__` (None where it has none, or makes it in a way that is not read).
    """

    bound: frozenset[str] = frozenset()
    stars: tuple[str, ...] = ()
    public: frozenset[str] | None = None

    def passed(self, names: frozenset[str]) -> frozenset[str]:
        """Those of some names that `import *` of the file would take, if the file has them."""
        if self.public is None:
            return frozenset([name for name in names if not name.startswith("_")])
        return names & self.public


class NamesKept:
    """The names of files as somebody read them before, by file, each with what tells the state of the file that they are of."""

    def __init__(self, known: Mapping[str, tuple[str, Names]] | None = None) -> None:
        self.known = dict(known or {})
        self._new: dict[str, tuple[str, Names]] = {}

    def get(self, filename: str, state: str) -> Names | None:
        """The names of a file in this state; None where they are not known."""
        kept, names = self.known.get(filename, ("", None))
        return names if kept == state else None

    def put(self, filename: str, state: str, names: Names) -> None:
        """Keep the names of a file, in the place of those of another state of it."""
        self.known[filename] = self._new[filename] = (state, names)

    def new(self) -> dict[str, tuple[str, Names]]:
        """What was put there since this was asked last."""
        new, self._new = self._new, {}
        return new


def read_names(text: str, name: str, *, is_package: bool) -> Names | None:
    """The names of a text; None where it is no Python.

    Args:
        text: the text.
        name: the dotted name of its module.
        is_package: whether it is a package's `__init__`.
    """
    for candidate in (_VALUE.sub(_without_value, _BODY.sub(_without_body, text)), text):
        try:
            body = syntax_tree(candidate).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # a text in a string looked like a definition
        return names_of(body, name, is_package=is_package)
    return None


def _without_body(match: re.Match[str]) -> str:
    return match[0] if _cuts_string(match[0]) else f"{match[1]}\n pass\n"


def _without_value(match: re.Match[str]) -> str:
    return match[0] if _cuts_string(match[0]) else f"{match[1]} = 0"


def _cuts_string(text: str) -> bool:
    """Whether a string begins or ends in a part of a text: it may be no code at all."""
    return text.count('"""') % 2 == 1 or text.count("'''") % 2 == 1


def names_of(body: list[ast.stmt], name: str, *, is_package: bool) -> Names:
    """The names of a file by its statements; see `read_names`."""
    bound: dict[str, None] = {}
    stars: dict[str, None] = {}
    for node in _statements(body):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == "*":
                    stars[absolute_import(node, name, is_package=is_package)] = None
                else:
                    bound[alias.asname or alias.name] = None
        elif isinstance(node, ast.Import):
            bound.update(dict.fromkeys(alias.asname or alias.name.partition(".")[0] for alias in node.names))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if not overloads(node):
                bound[node.name] = None
        elif isinstance(node, ast.ClassDef):
            bound[node.name] = None
        elif isinstance(node, ast.Assign):
            bound.update(dict.fromkeys(found for target in node.targets for found in _targets(target)))
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            if isinstance(node, ast.AugAssign) or node.value is not None:
                bound.update(dict.fromkeys(_targets(node.target)))
        elif isinstance(node, ast.With):
            for item in node.items:
                if item.optional_vars is not None:
                    bound.update(dict.fromkeys(_targets(item.optional_vars)))
        elif isinstance(node, ast.For):
            bound.update(dict.fromkeys(_targets(node.target)))
    return Names(frozenset(bound), tuple(stars), _public(body) if "__all__" in bound else None)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that may run when the file is imported, those in branches too."""
    stack = [*reversed(body)]
    while stack:
        node = stack.pop()
        yield node
        inner: list[ast.stmt] = []
        if isinstance(node, ast.If):
            inner = [] if is_main_guard(node) else [*node.body, *node.orelse]
        elif isinstance(node, ast.Try):
            inner = [*node.body, *(s for handler in node.handlers for s in handler.body), *node.orelse, *node.finalbody]
        elif isinstance(node, (ast.For, ast.While)):
            inner = [*node.body, *node.orelse]
        elif isinstance(node, ast.With):
            inner = node.body
        stack += reversed(inner)


def _targets(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _targets(element)


def _public(body: list[ast.stmt]) -> frozenset[str] | None:
    """The names in `__all__`; None where they are not all written out, once, at the top level."""
    found: frozenset[str] | None = None
    for node in body:
        if not any(isinstance(n, ast.Name) and n.id == "__all__" for part in _changing(node) for n in ast.walk(part)):
            continue
        plain = isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        value = node.value if isinstance(node, ast.Assign) and plain else None
        if found is not None or not isinstance(value, (ast.List, ast.Tuple)):
            return None
        words = [e.value for e in value.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        if len(words) != len(value.elts):
            return None
        found = frozenset(words)
    return found


def _changing(node: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that may bind or change what they name."""
    if isinstance(node, ast.Assign):
        return [*node.targets]
    if isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        return [node.target]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
        return []
    return [node]
