"""A module as libcst sees it, with the two questions that every rewrite asks: what stands here, and inside what?"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeGuard, TypeVar, cast

import libcst as cst

from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.rewrite.effort import MAX_REMEMBERED, consume_fuel, kept_with, once
from exportdb_rules.rewrite.parts import Parts, parse_in_parts, parse_whole, parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from exportdb_rules.rewrite.written import Place

Statement = cst.BaseStatement
Node = TypeVar("Node", bound=cst.CSTNode)
Whole = TypeVar("Whole", bound=cst.CSTNode)
Swaps = list[tuple[cst.CSTNode, Any]]


@dataclass(frozen=True, eq=False)
class Tree:
    """A parsed text. Nodes are told apart by identity; `place` knows those that the text has, not new ones."""

    text: str
    module: cst.Module
    _places: Mapping[int, Place] = field(repr=False)
    _holding: dict[str, bool] = field(default_factory=dict[str, bool], init=False, repr=False)
    _codes: dict[cst.CSTNode, str] = field(default_factory=dict[cst.CSTNode, str], init=False, repr=False)

    def place(self, node: cst.CSTNode) -> Place | None:
        """The first row and column and the last row and column of a node, as libcst counts them; None as for `span`."""
        return self._places.get(id(node))

    def span(self, node: cst.CSTNode) -> Span | None:
        """Where the node stands (parentheses around it excluded); None for a node that is not of the text."""
        place = self.place(node)
        if place is None:
            return None
        row, column, end_row, end_column = place
        return Span(Position(row, column + 1), Position(end_row, end_column + 1))

    def mentions(self, word: str) -> bool:
        """Whether a word stands anywhere in the text. Each is looked for once."""
        known = self._holding.get(word)
        if known is None:
            known = self._holding[word] = word in self.text
        return known

    @cached_property
    def starts(self) -> Sequence[Position]:
        """Where each statement of the module begins, without its decorators."""
        return [Position(part.row, 1) for part in parts(self.module).all]

    def edit(self, node: cst.CSTNode, code: str) -> Edit:
        """The edit that puts code in the place of a node, which must be of the text.

        `code` writes its nodes without the indentation of the block that they stand in; the edit has it.
        """
        span = self.span(node)
        assert span is not None
        return Edit(span, self.indented(code, span.start) if "\n" in code else code)

    def without_rows(self, node: cst.CSTNode) -> Edit:
        """The edit that takes out the rows of a statement, which must be of the text and alone on them."""
        span = self.span(node)
        assert span is not None
        return Edit(Span(Position(span.start.row, 1), Position(span.end.row + 1, 1)), "")

    def indented(self, code: str, position: Position) -> str:
        """Code over several lines as it is written in the block around a position: the lines of a text stay as they are."""
        indent = self._indent(position)
        try:
            # Lines of a string are no layout: only a parser can tell the two.
            parsed = cst.parse_statement(code)
        except cst.ParserSyntaxError:
            return code
        if not indent or not isinstance(parsed, cst.SimpleStatementLine):
            return code
        block = cst.Module([parsed], default_newline=self.module.default_newline)
        inside = cst.IndentedBlock(block.body, indent=indent)
        return block.code_for_node(inside).strip()

    def indented_statement(self, code: str, indent: str) -> str:
        """The rows of a statement over several lines in a block of that indentation."""
        try:
            block = cst.IndentedBlock([cst.parse_statement(code)], indent=indent)
        except cst.ParserSyntaxError:
            return f"{indent}{code}\n"
        written = cst.Module([], default_newline=self.module.default_newline).code_for_node(block)
        return written.lstrip("\r\n")

    def _indent(self, position: Position) -> str:
        """The indentation of the block that a position stands in."""
        indent = ""
        stack: list[cst.CSTNode] = [self.module]
        while stack:
            node = stack.pop()
            if isinstance(node, cst.IndentedBlock):
                indent += self.module.default_indent if node.indent is None else node.indent
            for child in children(node):
                where = self.span(child) if isinstance(child, _BLOCKS) else None
                if where is not None and where.start <= position < where.end:
                    stack = [child]
        return indent

    def path(self, span: Span) -> tuple[cst.CSTNode, ...]:
        """The nodes around and including the expression that stands exactly at `span`, outermost first; () if none.

        Of several nodes at one place (a statement and its only expression) the path ends with the innermost
        expression.
        """
        return _path(self, span)

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node. Who asks again spends as much: what a fix may cost must not depend on who asked before."""
        code = self._codes.get(node)
        if code is None:
            if len(self._codes) >= MAX_REMEMBERED:
                self._codes.clear()
            code = self._codes[node] = self.module.code_for_node(node)
        consume_fuel(len(code) >> 3)
        return code


@kept_with
def _path(tree: Tree, span: Span) -> tuple[cst.CSTNode, ...]:
    """Several rewrites ask for the same place, one after the other."""
    best: tuple[cst.CSTNode, ...] = ()
    # A statement of the module may be one of thousands: the one that begins last before the place holds it.
    index = bisect_right(tree.starts, span.start) - 1
    stack: list[tuple[cst.CSTNode, ...]] = [(tree.module, tree.module.body[index])] if index >= 0 else []
    while stack:
        path = stack.pop()
        node = path[-1]
        place = tree.span(node)
        if isinstance(node, cst.BaseExpression) and place is not None and _same(place, span, node):
            best = path if len(path) > len(best) else best
        elif place is not None and not (place.start <= span.start and span.end <= place.end):
            # An expression's own position leaves out its parentheses, never its children.
            continue
        stack += [(*path, child) for child in children(node)]
    return best


def _same(place: Span, span: Span, node: cst.CSTNode) -> bool:
    if place == span:
        return True
    # `ast` counts the parentheses of a tuple or a generator as its own, libcst does not.
    return (
        isinstance(node, (cst.Tuple, cst.GeneratorExp))
        and bool(node.lpar)
        and place.start.row == span.start.row
        and place.end.row == span.end.row
        and place.start.column == span.start.column + 1
        and place.end.column == span.end.column - 1
    )


@lru_cache(
    maxsize=2
)  # a text, and the same with a class lifted out of a function: a tree takes hundreds of times as much
def parse(text: str) -> Tree | None:
    """The tree of a text; None if it does not parse, or libcst would not give it back as it was."""
    module = parse_in_parts(text) or parse_whole(text)
    return None if module is None else Tree(text, module, parts(module).places)


# What blocks of code stand in.
_BLOCKS: Final = (
    cst.BaseCompoundStatement, cst.IndentedBlock, cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler,
    cst.MatchCase,
)  # fmt: skip


# Fields that hold layout, never code.
_LAYOUT = (
    "whitespace",
    "leading_lines",
    "lines_",
    "lpar",
    "rpar",
    "comma",
    "semicolon",
    "header",
    "footer",
    "lbra",
    "rbra",
)
_fields: dict[type[cst.CSTNode], tuple[str, ...]] = {}
_SEQUENCES: Final = frozenset({list, tuple, Parts})


@once
def children(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """The nodes below a node, without whitespace, commas and parentheses.

    libcst's own `children` runs a visitor over the node, which costs more than the rest of a rewrite together.
    """
    consume_fuel()
    kind = type(node)
    known = _fields.get(kind)
    if known is None:
        known = tuple([f.name for f in fields(node) if not any(part in f.name for part in _LAYOUT)])
        _fields[kind] = known
    found: list[cst.CSTNode] = []
    for name in known:
        value: object = getattr(node, name)
        if type(value) in _SEQUENCES:
            items = cast("Sequence[object]", value)
            found += [item for item in items if _is_node(item)]
        elif _is_node(value):
            found.append(value)
    return tuple(found)


# libcst's classes are abstract base classes: `isinstance` of an object of another class is slow. So it is asked once for
# each class of objects, by the class that is asked for.
_instances: dict[type, dict[type, bool]] = {}
_nodes = _instances.setdefault(cst.CSTNode, {})


def _is_node(value: object) -> TypeGuard[cst.CSTNode]:
    known = _nodes.get(type(value))
    if known is None:
        known = _nodes[type(value)] = isinstance(value, cst.CSTNode)
    return known


def below(node: cst.CSTNode, kind: type[Node], *, outside: tuple[type[cst.CSTNode], ...] = ()) -> Iterator[Node]:
    """The nodes of a kind at and below a node, in the order of the text; `outside` names kinds that are not entered."""
    if not outside:
        yield from cast("Sequence[Node]", _found(node, kind))
        return
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, outside):
            continue
        if _is_one(type(here), kind):
            yield cast("Node", here)
        stack += reversed(children(here))


def statements_below(node: cst.CSTNode) -> Iterator[cst.BaseSmallStatement | cst.BaseCompoundStatement]:
    """The statements at and below a node, for which no expression is looked at; in no order."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            yield here
        if not isinstance(here, cst.BaseSmallStatement):
            stack += [child for child in children(here) if _is_statement(child) or isinstance(child, _BLOCKS)]


def holds(node: cst.CSTNode, kinds: tuple[type[cst.CSTNode], ...]) -> bool:
    """Whether a node of one of the kinds stands at or below a node."""
    return any(_found(node, kind) for kind in kinds)


def _found(node: cst.CSTNode, kind: type[cst.CSTNode]) -> tuple[cst.CSTNode, ...]:
    """The nodes of a kind at and below a node. What was found in a statement is remembered for what stands around it."""
    if (known := _below(node).get(kind)) is not None:
        return known
    inner: list[cst.CSTNode] = [node]
    for here in inner:
        inner += [part for part in _parts(here)[1] if kind not in _below(part)]
    for here in reversed(inner):
        found: list[cst.CSTNode] = []
        for part in _parts(here)[0]:
            if part is not here and _is_statement(part):
                found += _below(part)[kind]
            elif _is_one(type(part), kind):
                found.append(part)
        _below(here)[kind] = tuple(found)
    return _below(node)[kind]


@once
def _below(node: cst.CSTNode) -> dict[type[cst.CSTNode], tuple[cst.CSTNode, ...]]:
    """The nodes at and below a node by their kind, as far as somebody has asked."""
    return {}


@once
def _parts(node: cst.CSTNode) -> tuple[tuple[cst.CSTNode, ...], tuple[cst.CSTNode, ...]]:
    """A node and what is below it, in the order of the text, the statements in it as a whole; and these alone."""
    found: list[cst.CSTNode] = []
    inner: list[cst.CSTNode] = []
    stack = [node]
    while stack:
        here = stack.pop()
        found.append(here)
        if here is not node and _is_statement(here):
            inner.append(here)
        else:
            stack += reversed(children(here))
    return tuple(found), tuple(inner)


def _is_one(one: type, kind: type[cst.CSTNode]) -> bool:
    """`issubclass`, which is slow here."""
    instances = _instances.setdefault(kind, {})
    known = instances.get(one)
    if known is None:
        known = instances[one] = issubclass(one, kind)
    return known


def _is_statement(node: cst.CSTNode) -> bool:
    """Whether a node is one of those that are remembered: a statement, or a block of them."""
    kind = type(node)
    known = _statements.get(kind)
    if known is None:
        known = _statements[kind] = issubclass(kind, (cst.BaseStatement, cst.BaseSmallStatement, cst.BaseSuite))
    return known


_statements: Final[dict[type, bool]] = {}


def replace_all(node: Whole, swaps: Sequence[tuple[cst.CSTNode, Any]]) -> Whole:
    """The module, or another node, with nodes replaced by others, or taken out. Where one stands in another, the other one wins."""
    wanted = {id(old): new for old, new in swaps}
    around = ancestors(node, set(wanted))

    class Swap(cst.CSTTransformer):
        def on_visit(self, node: cst.CSTNode) -> bool:
            return around is None or id(node) in around

        def on_leave(  # type: ignore[override]
            self, original_node: cst.CSTNode, updated_node: cst.CSTNode
        ) -> Any:
            return wanted.get(id(original_node), updated_node)

    return cast("Whole", node.visit(Swap()))


def ancestors(node: cst.CSTNode, wanted: set[int]) -> set[int] | None:
    """The ids of the nodes at and below a node that hold one of those with the ids `wanted`; None where one of these is
    not found, because it is layout or stands elsewhere.

    libcst visits whatever stands beside the way as well, which costs more than all else of a rewrite together.
    """
    found: set[int] = set()
    met: set[int] = set()
    stack: list[tuple[cst.CSTNode, bool]] = [(node, False)]
    way: list[int] = []
    while stack:
        here, left = stack.pop()
        if left:
            way.pop()
            continue
        if id(here) in wanted:
            met.add(id(here))
            found.update(way)
        way.append(id(here))
        stack.append((here, True))
        stack += [(child, False) for child in children(here)]
    return found if met == wanted else None


def difference(before: str, after: str) -> tuple[Edit, ...]:
    """One edit over the lines that differ between two texts; none if they are equal."""
    if before == after:
        return ()
    old, new = _lines(before), _lines(after)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    end = len(old) - tail
    last = Position(end + 1, 1)
    if end == len(old) and old and not old[-1].endswith(("\n", "\r")):
        last = Position(len(old), len(old[-1]) + 1)
    start = Position(head + 1, 1)
    if start > last:
        # Lines are added below a last line that has no line end.
        start = last
        return (Edit(Span(start, last), "".join(new)[len("".join(old)) :]),) if "".join(new).startswith(before) else ()
    return (Edit(Span(start, last), "".join(new[head : len(new) - tail])),)


def _lines(text: str) -> list[str]:
    lines: list[str] = []
    for part in text.splitlines(keepends=True):
        # splitlines also breaks at form feeds and the like, where Python's lines go on.
        if lines and not lines[-1].endswith(("\n", "\r")):
            lines[-1] += part
        else:
            lines.append(part)
    return lines


def statements(block: cst.BaseSuite | cst.Module) -> list[Statement]:
    """The statements of a block; `if x: a; b` on one line gives its simple statements as a line of their own."""
    if isinstance(block, cst.SimpleStatementSuite):
        return [cst.SimpleStatementLine(list(block.body))]
    return cast("list[Statement]", list(block.body))


def only_statement(block: Sequence[cst.CSTNode | None]) -> cst.BaseSmallStatement | None:
    """The statement that a block is, if it is a single one that holds no others."""
    only = block[0] if len(block) == 1 else None
    return only.body[0] if isinstance(only, cst.SimpleStatementLine) and len(only.body) == 1 else None


def unpacked(target: cst.BaseExpression, value: cst.BaseExpression) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The names and attributes that an assignment binds, each with what it gets: of `self.up, self.down = a, b` both; none of
    those whose part of the value is not written out."""
    if isinstance(target, (cst.Name, cst.Attribute)):
        yield dotted(target), value
    elif isinstance(target, (cst.Tuple, cst.List)) and isinstance(value, (cst.Tuple, cst.List)):
        several = (*target.elements, *value.elements)
        if len(target.elements) == len(value.elements) and all(isinstance(one, cst.Element) for one in several):
            for one, other in zip(target.elements, value.elements, strict=True):
                yield from unpacked(one.value, other.value)


def method(owner: cst.ClassDef, name: str) -> cst.FunctionDef | None:
    """The method of that name that stands in a class's own block; the first, where there are several."""
    found = (s for s in statements(owner.body) if isinstance(s, cst.FunctionDef) and s.name.value == name)
    return next(found, None)


def enclosing(path: Sequence[cst.CSTNode], *kinds: type[cst.CSTNode]) -> int:
    """The index of the innermost node of the path that is of one of the kinds; -1 if none is."""
    for index in range(len(path) - 1, -1, -1):
        if isinstance(path[index], kinds):
            return index
    return -1


def occurrences(node: cst.CSTNode, name: str) -> list[tuple[cst.CSTNode, ...]]:
    """The paths from a node down to every occurrence of a name in it."""
    found: list[tuple[cst.CSTNode, ...]] = []
    stack: list[tuple[cst.CSTNode, ...]] = [(node,)]
    while stack:
        path = stack.pop()
        here = path[-1]
        if isinstance(here, cst.Name) and here.value == name:
            found.append(path)
        inner = [here.value] if isinstance(here, (cst.Attribute, cst.Arg)) else children(here)
        stack += [(*path, child) for child in inner]
    return found


@dataclass(frozen=True, eq=False)
class CallArguments:
    """What a call is given, by place and by name. What stands behind stars is among `positional`."""

    positional: list[cst.BaseExpression]
    named: dict[str, cst.BaseExpression]

    def get(self, index: int, *names: str) -> cst.BaseExpression | None:
        """An argument by one of its names, or its place; None where it is not given."""
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.positional[index] if index < len(self.positional) else None

    def by_name(self, *order: str) -> dict[str, cst.BaseExpression] | None:
        """All arguments by their names, where `order` names the places; None if there are more than it names."""
        if len(self.positional) > len(order):
            return None
        return {**dict(zip(order, self.positional, strict=False)), **self.named}


def arguments(given: Sequence[cst.Arg]) -> CallArguments:
    """The arguments of a call, by place and by name."""
    return CallArguments(
        [a.value for a in given if a.keyword is None],
        {a.keyword.value: a.value for a in given if a.keyword is not None},
    )


def with_keyword(call: cst.Call, name: str, value: str) -> cst.Call:
    """A call with one more argument, `name=value`: on a line of its own where the last one stands on its own."""
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    new = cst.Arg(cst.parse_expression(value), cst.Name(name), equal=tight)
    if not call.args:
        return call.with_changes(args=[new])
    *before, last = call.args
    # What parts the last argument from the one before it, or from the bracket.
    comma = before[-1].comma if before else cst.MaybeSentinel.DEFAULT
    apart = comma.whitespace_after if isinstance(comma, cst.Comma) else call.whitespace_before_args
    if not isinstance(apart, cst.ParenthesizedWhitespace):
        return call.with_changes(args=[*before, last.with_changes(comma=cst.MaybeSentinel.DEFAULT), new])
    trailing = isinstance(last.comma, cst.Comma)
    end = last.comma.whitespace_after if isinstance(last.comma, cst.Comma) else last.whitespace_after_arg
    plain = cst.TrailingWhitespace()
    if isinstance(end, cst.ParenthesizedWhitespace):
        between, end = apart.with_changes(first_line=end.first_line), end.with_changes(first_line=plain)
    else:
        between = apart.with_changes(first_line=plain)
    last = last.with_changes(comma=cst.Comma(whitespace_after=between), whitespace_after_arg=cst.SimpleWhitespace(""))
    new = (
        new.with_changes(comma=cst.Comma(whitespace_after=end))
        if trailing
        else new.with_changes(whitespace_after_arg=end)
    )
    return call.with_changes(args=[*before, last, new])


def integer(node: cst.CSTNode) -> int | None:
    """The value of an integer that is written out, without a sign."""
    return node.evaluated_value if isinstance(node, cst.Integer) else None


def signed(node: cst.CSTNode) -> int | None:
    """The value of an integer that is written out, with a minus or without."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = integer(node.expression)
        return None if inner is None else -inner
    return integer(node)


def is_item(node: cst.CSTNode) -> bool:
    """Whether an expression is `t.item()`."""
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value == "item"
        and not node.args
    )


def conjuncts(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The parts of a test that `and` joins."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return [*conjuncts(test.left), *conjuncts(test.right)]
    return [test]


def index_of(node: cst.Subscript) -> int | None:
    """The only index of a subscript, where it is an integer that is written out, without a sign."""
    only = node.slice[0].slice if len(node.slice) == 1 else None
    return integer(only.value) if isinstance(only, cst.Index) else None


def dotted(node: cst.CSTNode) -> str:
    """`a.b.c` for a chain of attributes on a name, '' for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr.value}" if base else ""
    return ""


def line(code: str) -> cst.BaseStatement:
    """A statement from its code."""
    return cst.ensure_type(cst.parse_statement(code), cst.SimpleStatementLine)
