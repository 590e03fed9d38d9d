"""Where a finding stands: the function, the class and the statement around its expression."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar, cast

import libcst as cst

from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.effort import TooLarge, kept_with, once, steps_left
from exportdb_rules.rewrite.imports import torch_name
from exportdb_rules.rewrite.known.inference import Inference
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.parts import Mentions, parts
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Tree, enclosing, parse
from exportdb_rules.source import syntax_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.inference import Environment

What = TypeVar("What")


@dataclass(frozen=True, eq=False)
class FixSite:
    """`path` leads from the module to the expression; `torch` is the module's name for torch."""

    tree: Tree
    path: tuple[cst.CSTNode, ...]
    function: cst.FunctionDef
    owner: cst.ClassDef | None
    inference: Inference
    torch: str

    @property
    def node(self) -> cst.BaseExpression:
        """The expression itself."""
        node = self.path[-1]
        assert isinstance(node, cst.BaseExpression)
        return node

    def upto(self, node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
        """The path from the module down to one of its nodes."""
        return self.path[: self.path.index(node) + 1]

    def branch(self) -> cst.If | cst.IfExp:
        """The `if`, or conditional expression, whose test holds the expression.

        Raises:
            FixNotApplicable: it stands in no such test.
        """
        for node, child in zip(reversed(self.path[:-1]), reversed(self.path[1:]), strict=True):
            if isinstance(node, (cst.If, cst.IfExp)) and child is node.test:
                return node
            if isinstance(node, (cst.BaseCompoundStatement, cst.SimpleStatementLine)):
                break
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the expression is not the condition of a branch")

    def statement(self) -> cst.SimpleStatementLine | cst.BaseCompoundStatement | None:
        """The innermost statement around the expression (a line, or a compound statement)."""
        index = enclosing(self.path, cst.SimpleStatementLine, cst.BaseCompoundStatement)
        node = self.path[index]
        return node if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)) else None

    def call(self) -> cst.Call | None:
        """The innermost call that the expression is, or stands in."""
        return next((node for node in reversed(self.path) if isinstance(node, cst.Call)), None)

    def environment(self) -> Environment:
        """The signatures of the local names when the statement around the expression begins.

        Raises:
            FixNotApplicable: there is no statement around it.
        """
        statement = self.statement()
        if statement is None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a statement")
        env = self.inference.before(self.upto(statement))
        for node in self.path[self.path.index(statement) :]:
            if isinstance(node, cst.BaseSimpleComp):
                self.inference.enter(node.for_in, env)
        return env

    def in_comprehension(self) -> bool:
        """Whether the expression is computed for each element of a comprehension."""
        statement = self.statement()
        inside = self.path[self.path.index(statement) :] if statement is not None else ()
        return any(isinstance(node, cst.BaseComp) for node in inside)


def locate(context: FixContext, span: Span | None = None, *, elements: bool = False, anywhere: bool = False) -> FixSite:
    """The place of the finding (or of another span of its text). With `elements` it may be in what a comprehension
    computes for each element; with `anywhere` in all of it and in a lambda, for a rewrite of the expression alone.

    Raises FixNotApplicable where no expression stands there, the code is in no function, in a lambda, in a comprehension or
    in a coroutine: a rewrite has nowhere to put its statements there, or cannot keep their order.
    """
    tree = parse(context.text)
    if tree is None:
        raise FixNotApplicable(NoFix.NOT_PARSED, "the text does not parse")
    path = tree.path(span or context.finding.span)
    if not path:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "there is no expression at the finding")
    index = enclosing(path, cst.FunctionDef)
    if index < 0:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the code is in no function")
    function = path[index]
    assert isinstance(function, cst.FunctionDef)
    if function.asynchronous is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a coroutine")
    inside = path[index + 1 :]
    computed = [
        node
        for node, child in pairwise(inside)
        if elements
        and (
            (isinstance(node, (cst.ListComp, cst.GeneratorExp)) and child is node.elt)
            or (isinstance(node, cst.DictComp) and child is node.value)
        )
    ]
    if not anywhere and any(isinstance(n, cst.CompIf) for n in inside):
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "how many elements a filter leaves depends on data")
    if not anywhere and any(isinstance(n, (cst.Lambda, cst.BaseComp)) and n not in computed for n in inside[:-1]):
        raise FixNotApplicable(NoFix.SHARED_LINE, "inside a lambda or a comprehension")
    if any(node is function.params or isinstance(node, cst.Decorator) for node in inside):
        raise FixNotApplicable(NoFix.SHARED_LINE, "in the head of a function")
    above = enclosing(path[:index], cst.ClassDef, cst.FunctionDef)
    owner = path[above] if above >= 0 else None
    return FixSite(
        tree,
        path,
        function,
        owner if isinstance(owner, cst.ClassDef) else None,
        Inference(tree, context, function, owner if isinstance(owner, cst.ClassDef) else None),
        torch_name(tree),
    )


def shared(place: FixSite, node: cst.CSTNode, question: str, ask: Callable[[], What]) -> What:
    """The answer to a question about a construct (a branch, a chain of them), asked once for all findings in it.

    Raises:
        FixNotApplicable: the answer is no.
        TooLarge: it takes more steps than there are.
    """
    known = _answers(node)
    values, answer = known.get(question, (None, None))
    left = steps_left()
    if values is not place.inference.context.values or (isinstance(answer, _NotWith) and answer.has_more(left)):
        try:
            answer = ask()
        except FixNotApplicable as refused:
            answer = refused
        except TooLarge:
            answer = _NotWith(left)
        known[question] = (place.inference.context.values, answer)
    if isinstance(answer, FixNotApplicable):
        raise FixNotApplicable(*answer.args)
    if isinstance(answer, _NotWith):
        raise TooLarge
    return cast("What", answer)


@dataclass(frozen=True)
class _NotWith:
    """No answer within so many steps."""

    steps: int | None

    def has_more(self, left: int | None) -> bool:
        """Whether there are more now."""
        return left is None or (self.steps is not None and left > self.steps)


@once
def _answers(node: cst.CSTNode) -> dict[str, tuple[object, object]]:
    """What was answered about a construct, each with the values that it was answered by."""
    return {}


def lines_before(place: FixSite, codes: Sequence[str]) -> Edit:
    """The edit that puts lines of code above the statement around the expression.

    Raises:
        FixNotApplicable: the statement is no line of a block, or does not begin its row.
    """
    statement = place.statement()
    if not isinstance(statement, cst.SimpleStatementLine):
        raise FixNotApplicable(NoFix.SHARED_LINE, "the statement is not a line of a block")
    return lines_above(place, statement, codes)


def lines_above(place: FixSite, statement: cst.BaseStatement, codes: Sequence[str]) -> Edit:
    """The edit that puts lines of code above a statement of the place's path.

    Raises:
        FixNotApplicable: the statement stands in no block, or does not begin its row.
    """
    span = place.tree.span(statement)
    if span is None or not isinstance(place.upto(statement)[-2], cst.IndentedBlock):
        raise FixNotApplicable(NoFix.SHARED_LINE, "the statement is not a line of a block")
    row = lines_of(place.tree.text).line(span.start.row)
    indent = row[: span.start.column - 1]
    if indent.strip():
        raise FixNotApplicable(NoFix.SHARED_LINE, "the statement does not begin its row")
    start = Position(span.start.row, 1)
    lines = [place.tree.indented_statement(code, indent) if "\n" in code else f"{indent}{code}\n" for code in codes]
    return Edit(Span(start, start), "".join(lines))


def always_computed(place: FixSite, within: cst.CSTNode | None = None) -> bool:
    """Whether the statement around the expression computes it whenever it runs, once; or one that holds it, `within`."""
    statement = place.statement()
    path = place.path if within is None else place.path[: place.path.index(within)]
    inside = path[path.index(statement) :] if statement is not None else ()
    sometimes = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.CompFor, cst.BaseComp)
    chained = any(isinstance(n, cst.Comparison) and len(n.comparisons) > 1 for n in inside)
    return (
        isinstance(statement, cst.SimpleStatementLine)
        and not chained
        and not any(isinstance(n, sometimes) for n in inside)
    )


def new_name(place: FixSite, wanted: str) -> str:
    """A name that the text does not have."""
    return unused(wanted, all_names(place.tree))


def unused(wanted: str, taken: Set[str]) -> str:
    """The wanted name, or that name with the first number that makes it differ from all that are taken."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def local_names(function: cst.FunctionDef) -> set[str]:
    """The names that are local to a function."""
    found = names(function.body)
    return ({p.name.value for p in parameters(function)} | found.writes) - found.outer


@kept_with
def all_names(tree: Tree) -> frozenset[str]:
    """Every name that is bound or looked up in the text: what a new name must differ from. Read once for a text."""
    known = parts(tree.module).names()
    if known is not None:
        return known
    try:
        return Mentions.of(syntax_tree(tree.text).body).names
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset(re.findall(r"\w+", tree.text))  # Python that only libcst knows
