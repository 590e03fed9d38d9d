"""A module as libcst sees it, each of whose statements is parsed when somebody looks at it.

A fix asks for the class or function that its finding stands in and for a few others, of a file with hundreds. libcst takes
as long for one statement of a text as the statement is long, so each is parsed by itself, from where the one before it
ends; `ast`, which parses a text many times as fast, says where that is, and what the code of a statement names.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar, cast, overload

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.written import written, written_at
from exportdb_rules.source import inner_statements, syntax_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.rewrite.written import Place

Definition = cst.ClassDef | cst.FunctionDef
Kind = TypeVar("Kind", cst.ClassDef, cst.FunctionDef)
Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


@dataclass(frozen=True, slots=True)
class Part:
    """A statement of a module that may not be parsed yet.

    `row` is where it begins, `first` where the comments and decorators above it do; `kind` and `name` are those of a
    definition, None and '' of another statement; `text` holds all its words. `said` is what its
    code names: None where the text was parsed as a whole.
    """

    row: int
    first: int
    text: str
    kind: type[Definition] | None
    name: str
    said: Mentions | None = None


@dataclass(frozen=True, slots=True)
class Mentions:
    """What the code of a statement names, its strings and comments left out.

    `names` are bound or looked up; `attributes` are those, keywords of calls and parts of paths that are imported; `imports`
    says whether anything is imported.
    """

    names: frozenset[str]
    attributes: frozenset[str]
    imports: bool

    @classmethod
    def of(cls, nodes: Sequence[ast.stmt]) -> Mentions:
        """What the nodes of a statement name."""
        names: set[str] = set()
        attributes: set[str] = set()
        imports = False
        for node in _below(nodes):
            kind = type(node)
            if kind is ast.Name:
                names.add(cast("ast.Name", node).id)
            elif kind is ast.Attribute:
                attributes.add(cast("ast.Attribute", node).attr)
            elif kind is ast.keyword:
                attributes.add(cast("ast.keyword", node).arg or "")
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                imports = True
                paths = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
                names.update(path.partition(".")[0] for path in paths)
                attributes.update(part for path in paths for part in path.split("."))
            for field in _NAMING.get(kind, ()):
                value: str | list[str] | None = getattr(node, field)
                names.update(value if isinstance(value, list) else (value or "",))
        return cls(frozenset(names - {""}), frozenset(attributes - {""}), imports)


# Where a node of `ast` has names that are no attributes and no keywords of calls; besides those above.
_NAMING: Final[dict[type[ast.AST], tuple[str, ...]]] = {
    ast.arg: ("arg",), ast.FunctionDef: ("name",), ast.AsyncFunctionDef: ("name",), ast.ClassDef: ("name",),
    ast.alias: ("asname",), ast.ExceptHandler: ("name",), ast.Global: ("names",), ast.Nonlocal: ("names",),
    ast.MatchAs: ("name",), ast.MatchStar: ("name",), ast.MatchMapping: ("rest",), ast.MatchClass: ("kwd_attrs",),
    **{kind: ("name",) for kind in (getattr(ast, name, None) for name in ("TypeVar", "ParamSpec", "TypeVarTuple")) if kind},
}  # fmt: skip
# Fields of nodes that name nothing.
_MARKS: Final = frozenset({"ctx", "op", "ops"})


def _below(nodes: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Nodes and all that they are made of, in no order."""
    stack: list[ast.AST] = [*nodes]
    while stack:
        node = stack.pop()
        yield node
        for field in node._fields:
            value = getattr(node, field, None) if field not in _MARKS else None
            if isinstance(value, ast.AST):
                stack.append(value)
            elif isinstance(value, list):
                stack += [part for part in cast("list[object]", value) if isinstance(part, ast.AST)]


class Parts(Sequence[Statement]):
    """The statements of a module. `places` are those of the nodes of the statements that were parsed, by their identity."""

    def __init__(
        self, parts: Sequence[Part], module: cst.Module, places: dict[int, Place], parsed: Sequence[Statement | None]
    ) -> None:
        """`module` is written as the text is: its line ends, its indentation."""
        self.all = parts
        self.places = places
        self._module = module
        self._parsed = [*parsed]

    def __len__(self) -> int:
        return len(self.all)

    @overload
    def __getitem__(self, index: int) -> Statement: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Statement]: ...
    def __getitem__(self, index: int | slice) -> Statement | Sequence[Statement]:
        """A statement.

        Raises:
            FixNotApplicable: libcst does not read it, or would not write it as it is.
        """
        if isinstance(index, slice):
            return tuple([self[i] for i in range(*index.indices(len(self)))])
        known = self._parsed[index]
        if known is None:
            known = self._parsed[index] = self._parse(self.all[index])
        return known

    def _parse(self, part: Part) -> Statement:
        try:
            module = cst.parse_module(part.text)
        except (cst.ParserSyntaxError, RecursionError, ValueError):
            raise FixNotApplicable(NoFix.NOT_PARSED, "a statement that libcst does not parse") from None
        if len(module.body) != 1 or module.footer:
            raise FixNotApplicable(NoFix.NOT_PARSED, "a statement that libcst reads as another")
        statement = module.body[0]
        if module.header:
            statement = statement.with_changes(leading_lines=module.header)
        code, places = written_at(self._module, statement, part.first)
        if code != part.text:
            raise FixNotApplicable(NoFix.NOT_PARSED, "a statement that libcst writes in another way")
        self.places.update(places)
        return statement

    def names(self) -> frozenset[str] | None:
        """All names that are bound or looked up in the text; None where that is not known."""
        found: set[str] = set()
        for part in self.all:
            if part.said is None:
                return None
            found |= part.said.names
        return frozenset(found)

    def of(self, *kinds: type[Definition] | None) -> Iterator[Statement]:
        """The definitions of some kinds, and with None the statements that define nothing."""
        return (self[i] for i, part in enumerate(self.all) if part.kind in kinds)

    def holding(self, word: str) -> Iterator[Statement]:
        """The statements in whose text a word stands, be it in a string or a comment."""
        return (self[i] for i, part in enumerate(self.all) if word in part.text)

    def mentioning(self, name: str) -> Iterator[Statement]:
        """The statements whose code has a name in it, of an attribute or of anything else."""
        return (
            self[i]
            for i, part in enumerate(self.all)
            if name in part.text
            and ((said := _said(part, name)) is None or name in said.names or name in said.attributes)
        )

    def importing(self) -> Iterator[Statement]:
        """The statements that import something, at whatever depth."""
        return (
            self[i]
            for i, part in enumerate(self.all)
            if "import" in part.text and (part.said is None or part.said.imports)
        )


def _said(part: Part, name: str) -> Mentions | None:
    """What the code of a statement names, as far as that tells of a name: `ast` spells one that is not ASCII in its own way."""
    return part.said if name.isascii() else None


class Named(Mapping[str, Kind]):
    """The definitions of a kind in a module by their names; of several with one name, the last."""

    def __init__(self, body: Parts, kind: type[Kind]) -> None:
        self._body = body
        self._index = {part.name: i for i, part in enumerate(body.all) if part.kind is kind}

    def __getitem__(self, name: str) -> Kind:
        return cast("Kind", self._body[self._index[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, name: object) -> bool:
        return name in self._index


def parts(module: cst.Module) -> Parts:
    """The statements of the module of a text."""
    return cast("Parts", module.body)


def parse_in_parts(text: str) -> cst.Module | None:
    """A module whose body are `Parts`; None of a text that is no Python, or in which it is not plain where a statement ends."""
    if "\r" in text or "\f" in text or text.startswith("\ufeff") or not text.endswith("\n") or text.endswith("\\\n"):
        return None
    try:
        body = syntax_tree(text).body
        return _in_parts([f"{row}\n" for row in text.split("\n")[:-1]], body) if body else None
    except (SyntaxError, ValueError, RecursionError, MemoryError, cst.ParserSyntaxError):
        return None


def parse_whole(text: str) -> cst.Module | None:
    """The same of any text, all of it parsed; None if it is no Python, or libcst would not give it back as it was."""
    try:
        module = cst.parse_module(text)
    except (cst.ParserSyntaxError, RecursionError, ValueError):
        return None
    code, places = written(module)
    if code != text:
        return None
    found: list[Part] = []
    for node in module.body:
        kind = next((kind for kind in (cst.ClassDef, cst.FunctionDef) if isinstance(node, kind)), None)
        name = node.name.value if isinstance(node, (cst.ClassDef, cst.FunctionDef)) else ""
        first = places[id(first_line(node))][0]
        # All have all words.
        found.append(Part(places[id(node)][0], first, text, kind, name))
    return module.with_changes(body=Parts(found, module, {**places}, module.body))


def first_line(statement: cst.CSTNode) -> cst.CSTNode:
    """What a statement begins with: the first of the comments and decorators above it, or itself."""
    lines: list[cst.CSTNode] = [*getattr(statement, "leading_lines", ())]
    for decorator in getattr(statement, "decorators", ()):
        lines += [*decorator.leading_lines, decorator]
    return lines[0] if lines else statement


def _in_parts(rows: list[str], body: list[ast.stmt]) -> cst.Module | None:
    indents = {_indent(rows[node.lineno - 1]) for outer in body for node in inner_statements(outer)} - {""}
    if len(indents) > 1:
        return None
    indent = next(iter(indents), "    ")
    found: list[Part] = []
    behind = 0  # the rows up to here are done
    head = cst.Module([])
    for start, node in enumerate(body):
        index = start
        first = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", ())]])
        last = node.end_lineno or node.lineno
        if found and first <= behind:
            # `a; b`
            if last > behind:
                return None
            continue
        while index + 1 < len(body) and body[index + 1].lineno == last:
            index += 1
            last = body[index].end_lineno or last
        nodes = body[start : index + 1]
        if not found:
            head, behind = cst.parse_module("".join(rows[: first - 1])), first - 1
        end = _block_end(rows, node, last, indent)
        found.append(_part(nodes, behind + 1, "".join(rows[behind:end])))
        behind = end
    tail = cst.parse_module("".join(rows[behind:]))
    module = cst.Module([], default_indent=indent, default_newline="\n")
    statements = Parts(found, module, {}, [None] * len(found))
    return module.with_changes(body=statements, header=head.header, footer=tail.header)


def _part(nodes: Sequence[ast.stmt], first: int, text: str) -> Part:
    node, said = nodes[0], Mentions.of(nodes)
    if isinstance(node, ast.ClassDef):
        return Part(node.lineno, first, text, cst.ClassDef, node.name, said)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return Part(node.lineno, first, text, cst.FunctionDef, node.name, said)
    return Part(node.lineno, first, text, None, "", said)


def _block_end(rows: list[str], node: ast.stmt, last: int, indent: str) -> int:
    """The last row of a statement, with the comments below it that are indented as its last block is."""
    inner = list(inner_statements(node))
    if not inner or not rows[max(inner, key=lambda one: one.end_lineno or 0).lineno - 1].startswith(indent):
        return last
    end = last
    for row in range(last, len(rows)):
        line = rows[row]
        if line.strip() and not line.lstrip().startswith("#"):
            break
        if line.startswith(indent):
            end = row + 1
        elif line.startswith("#"):
            break
    return end


def _indent(row: str) -> str:
    return row[: len(row) - len(row.lstrip(" \t"))]
