"""The ways out of a loop's round, as the setting of a flag and branches on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import TENSOR
from exportdb_rules.rewrite.known.liveness import arms, contains
from exportdb_rules.rewrite.known.mutation import is_pure, side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import SCALAR, TensorSignature
from exportdb_rules.rewrite.looping.continues import folded
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import line, only_statement, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.branching.branch_lowering import Statements
    from exportdb_rules.rewrite.branching.branches import Builder
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment

Swap = tuple[cst.CSTNode, cst.CSTNode]


def without_continue(block: Statements) -> Statements:
    """The statements of a round with what follows each `continue` in the other side of its branch."""
    for index, statement in enumerate(block):
        if isinstance(statement, cst.If) and contains([statement], cst.Continue):
            return [*block[:index], folded(statement, without_continue(block[index + 1 :]))]
    return block


def flagged(place: FixSite, builder: Builder, block: Statements, flag: str, env: Environment) -> Statements:
    """The statements of a round with each `break` as the setting of the flag, and branches on it around what follows."""
    for index, statement in enumerate(block):
        if not contains([statement], cst.Break):
            continue
        if isinstance(statement, cst.SimpleStatementLine):
            return [*block[:index], _set(place, statement, flag)]
        if not isinstance(statement, cst.If):
            raise FixNotApplicable(NoFix.OTHER_EXIT, "an unsupported exit of the loop")
        inside = dict(env)
        place.inference.run(block[:index], inside)
        inside.update({name: known for name, known in env.items() if name in place.inference.overridden})
        body, other = arms(statement)
        if not _breaks(body) or contains([*body[:-1], *other], cst.Break):
            return [*block[:index], *_within(place, builder, statement, block[index + 1 :], flag, inside)]
        predicate = builder.predicates.translate(statement.test, inside)
        if predicate.kind != TENSOR or predicate.guard:
            return [*block[:index], *_within(place, builder, statement, block[index + 1 :], flag, inside)]
        value = cst.parse_expression(predicate.zero_dimensional)
        place.inference.known[value] = TensorSignature("bool", SCALAR, place.inference.fresh())
        setting = cst.SimpleStatementLine(
            [cst.Assign([cst.AssignTarget(cst.Name(flag))], value)], leading_lines=statement.leading_lines
        )
        rest = flagged(place, builder, [*other, *block[index + 1 :]], flag, inside)
        done = body[:-1]
        if not done and not rest:
            return [*block[:index], setting]
        if not done:
            test: cst.BaseExpression = cst.UnaryOperation(cst.Not(), cst.Name(flag))
            return [*block[:index], setting, cst.If(test, cst.IndentedBlock(rest))]
        orelse = cst.Else(cst.IndentedBlock(rest)) if rest else None
        return [*block[:index], setting, cst.If(cst.Name(flag), cst.IndentedBlock(done), orelse)]
    return block


def _within(
    place: FixSite, builder: Builder, node: cst.If, rest: Statements, flag: str, env: Environment
) -> Statements:
    """A branch that is left from deeper within, and what follows it where it was not."""

    def side(block: Statements) -> cst.IndentedBlock:
        return cst.IndentedBlock(flagged(place, builder, block, flag, env))

    def flagged_branch(branch: cst.If) -> cst.If:
        other: cst.If | cst.Else | None = None
        if isinstance(branch.orelse, cst.If):
            other = flagged_branch(branch.orelse)
        elif branch.orelse is not None:
            other = branch.orelse.with_changes(body=side(statements(branch.orelse.body)))
        made = branch.with_changes(body=side(statements(branch.body)), orelse=other)
        place.inference.origin[made] = place.inference.origin.get(branch, branch)
        return made

    done = flagged_branch(node)
    if not rest:
        return [done]
    going = cst.UnaryOperation(cst.Not(), cst.Name(flag))
    return [done, cst.If(going, cst.IndentedBlock(flagged(place, builder, rest, flag, env)))]


def _set(place: FixSite, statement: cst.SimpleStatementLine, flag: str) -> cst.BaseStatement:
    """The line that sets the flag in the place of `break`, which is the last of its line."""
    value = cst.parse_expression(f"{place.torch}.ones_like({flag})")
    place.inference.known[value] = TensorSignature("bool", SCALAR, place.inference.fresh())
    setting = cst.Assign([cst.AssignTarget(cst.Name(flag))], value)
    return statement.with_changes(body=[*statement.body[:-1], setting])


def _breaks(block: Statements) -> bool:
    """Whether a block ends with `break`."""
    last = block[-1] if block else None
    return isinstance(last, cst.SimpleStatementLine) and len(last.body) == 1 and isinstance(last.body[0], cst.Break)


def breaking(
    place: FixSite, builder: Builder, loop: cst.For | cst.While, around: Statements
) -> tuple[cst.BaseSuite, Statements, list[Swap]]:
    """The body of a loop with `break` in the place of `return`, lines before the loop, and what changes behind it.

    What is returned in the loop is returned behind it too, or, of several values, has a name that holds until then what is
    returned behind it. Raises FixNotApplicable where that would compute something that the loop decides whether to.
    """
    if not contains(statements(loop.body), cst.Return):
        return loop.body, [], []
    at = next(i for i, statement in enumerate(around) if statement is loop)
    last = around[at + 1] if len(around) > at + 1 else None
    only = only_statement([last])
    if not isinstance(only, cst.Return):
        raise FixNotApplicable(NoFix.OTHER_EXIT, "the loop has another exit")
    changed = side_effects(statements(loop.body))
    leave = _Leave(place, builder, only, names(loop).writes, in_place=bool(changed.names or changed.unsupported))
    body = cst.ensure_type(loop.body.visit(leave), cst.BaseSuite)
    return body, leave.before, leave.swaps()


class _Leave(cst.CSTTransformer):
    """Puts `break` in the place of `return`."""

    def __init__(self, place: FixSite, builder: Builder, last: cst.Return, bound: set[str], *, in_place: bool) -> None:
        super().__init__()
        self._place = place
        self._builder = builder
        self._last = last
        self._bound = bound
        self._in_place = in_place
        self._values = _elements(last.value)
        # The names of those values that the loop returns otherwise, by their place.
        self._names: dict[int, str] = {}
        self.before: Statements = []

    def swaps(self) -> list[Swap]:
        """What is returned behind the loop, by the new names."""
        return [(self._values[at], cst.Name(name)) for at, name in self._names.items()]

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False

    def leave_Return(
        self, original_node: cst.Return, updated_node: cst.Return
    ) -> cst.BaseSmallStatement | cst.FlattenSentinel[cst.BaseSmallStatement]:
        code = self._place.tree.code
        here = _elements(original_node.value)
        if code(original_node).strip() == code(self._last).strip():
            return cst.Break()
        if len(here) == 1 and isinstance(self._last.value, cst.Name):
            return cst.FlattenSentinel([cst.Assign([cst.AssignTarget(self._last.value)], here[0]), cst.Break()])
        if len(here) != len(self._values) or len(here) < 2:
            raise FixNotApplicable(NoFix.OTHER_EXIT, "the loop has another exit")
        lines: list[cst.BaseSmallStatement] = []
        for at, (mine, other) in enumerate(zip(here, self._values, strict=True)):
            if code(mine) == code(other):
                continue
            if at not in self._names:
                self._names[at] = self._hoisted(other)
            elif at in self._names and not self._names[at]:
                raise FixNotApplicable(NoFix.OTHER_EXIT, "the loop has another exit")
            target = cst.AssignTarget(cst.Name(self._names[at]))
            lines.append(cst.Assign([target], mine))
        return cst.FlattenSentinel([*lines, cst.Break()])

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement]:
        *lines, last = updated_node.body
        if not lines or not isinstance(last, cst.Break) or contains([original_node], cst.Break):
            return updated_node
        first = cst.SimpleStatementLine([lines[0]], leading_lines=updated_node.leading_lines)
        rest = [cst.SimpleStatementLine([one]) for one in lines[1:]]
        return cst.FlattenSentinel([first, *rest, updated_node.with_changes(body=[last], leading_lines=[])])

    def _hoisted(self, value: cst.BaseExpression) -> str:
        """The name of what is returned behind the loop, made before it."""
        name = self._builder.name("result")
        made = line(f"{name} = {self._place.tree.code(value)}")
        if names(value).reads & self._bound or self._in_place or not is_pure(made):
            raise FixNotApplicable(NoFix.OTHER_EXIT, "what is returned after the loop cannot be computed before it")
        self.before.append(made)
        return name

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        done = super().on_leave(original_node, updated_node)
        if isinstance(done, cst.CSTNode) and done is not original_node:
            self._place.inference.origin[done] = self._place.inference.origin.get(original_node, original_node)
            return done
        return done if isinstance(done, cst.FlattenSentinel) else original_node  # type: ignore[return-value]


def _elements(node: cst.BaseExpression | None) -> Sequence[cst.BaseExpression]:
    if isinstance(node, cst.Tuple):
        return [element.value for element in node.elements]
    return [] if node is None else [node]
