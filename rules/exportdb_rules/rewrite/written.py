"""The code of a tree, and where every node stands in it: one walk over the tree gives both.

libcst's own provider of positions goes the same way with a regular expression for each token and a generator for each
node, which takes twice as long as its parser; and its wrapper visits the whole tree once more on behalf of providers
that nobody asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from libcst._nodes.internal import CodegenState
from libcst.metadata import MetadataWrapper, PositionProvider

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    import libcst as cst

Place = tuple[int, int, int, int]
"""First row and column and last row and column of a node; rows from 1, columns from 0, the last one exclusive."""

_LINE_END: Final = re.compile(r"\r\n?|\n")


def written(module: cst.Module) -> tuple[str, Mapping[int, Place]]:
    """The code of a module, and where its nodes stand in it (as `libcst.metadata.PositionProvider` says it), by their
    identity: the hash of a node is a function in Python."""
    try:
        state = _State(module)
        module._codegen(state)  # pyright: ignore[reportPrivateUsage]
        return "".join(state.tokens), state.places
    except (AttributeError, TypeError):
        # libcst writes code in another way than it does now. Its wrapper's deep copy is there for trees with one node in
        # two places; the parser makes none such.
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        found = wrapper.resolve(PositionProvider)
        return module.code, {id(n): (p.start.line, p.start.column, p.end.line, p.end.column) for n, p in found.items()}


def written_at(module: cst.Module, statement: cst.CSTNode, row: int) -> tuple[str, Mapping[int, Place]]:
    """The code of a statement of a module that begins on a row, the lines above it included, and where its nodes stand."""
    state = _State(module, row)
    statement._codegen(state)  # pyright: ignore[reportPrivateUsage]
    return "".join(state.tokens), state.places


def written_in(module: cst.Module, node: cst.CSTNode, indents: Sequence[str]) -> str:
    """The code of a statement of a module that stands in blocks which are indented by so much, one after the other."""
    state = CodegenState(default_indent=module.default_indent, default_newline=module.default_newline)
    for indent in indents:
        state.increase_indent(indent)
    node._codegen(state)  # pyright: ignore[reportPrivateUsage]
    return "".join(state.tokens)


class _State(CodegenState):
    """Writes code, and notes where each node begins and ends."""

    def __init__(self, module: cst.Module, row: int = 1) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.places: dict[int, Place] = {}
        self._row = row
        self._column = 0
        self._starts: list[tuple[int, int]] = []

    @property
    def here(self) -> tuple[int, int]:
        """The row and the column that the next token begins at."""
        return self._row, self._column

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        if "\n" in value or "\r" in value:
            ends = list(_LINE_END.finditer(value))
            self._row += len(ends)
            self._column = len(value) - ends[-1].end()
        else:
            self._column += len(value)

    def add_indent_tokens(self) -> None:
        self.tokens.extend(self.indent_tokens)
        for token in self.indent_tokens:
            self._column += len(token)

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._starts.append((self._row, self._column))

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self._starts.pop()
        # A node that says itself where its code begins, behind its whitespace, has done so by now.
        if id(node) not in self.places:
            self.places[id(node)] = (*start, self._row, self._column)

    def record_syntactic_position(  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[None]:
        return _Recording(self, node, start_node, end_node)


class _Recording:
    """While it is entered, the code of a node is written. Its first and last part may be other nodes'."""

    __slots__ = ("_first", "_last", "_node", "_start", "_state")

    def __init__(self, state: _State, node: cst.CSTNode, first: cst.CSTNode | None, last: cst.CSTNode | None) -> None:
        self._state = state
        self._node = node
        self._first = first
        self._last = last
        self._start = state.here

    def __enter__(self) -> None:
        self._start = self._state.here

    def __exit__(self, *error: object) -> None:
        places = self._state.places
        start = self._start if self._first is None else places[id(self._first)][:2]
        end = self._state.here if self._last is None else places[id(self._last)][2:]
        places[id(self._node)] = (*start, *end)
