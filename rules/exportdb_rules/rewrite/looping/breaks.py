"""A loop that a tensor leaves early, as one with a flag: `break` cannot be traced, a branch on the flag can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.branching.branches import Builder
from exportdb_rules.rewrite.branching.condition import TENSOR
from exportdb_rules.rewrite.branching.number_outputs import (
    Swap,
    numbers_as_tensors,
    numbers_as_they_are_or_tensors,
    with_swaps,
)
from exportdb_rules.rewrite.branching.operands import in_order
from exportdb_rules.rewrite.finished import finished
from exportdb_rules.rewrite.higher_order.operator_call import replace_all
from exportdb_rules.rewrite.known.liveness import (
    assigned_before,
    code_after,
    contains,
    live_after,
    live_before,
    sides,
    surely_assigned,
)
from exportdb_rules.rewrite.known.signature import SCALAR, Tensor
from exportdb_rules.rewrite.looping.loop_heads import line
from exportdb_rules.rewrite.looping.loops import counted, while_of
from exportdb_rules.rewrite.place import Place, locate
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import difference, dotted, replaced, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.branching.side import Statements
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.inference import Environment

TITLE: Final = "Keep a flag instead of leaving the loop (in eager, milliseconds a call)"


def break_to_flag(context: FixContext) -> tuple[Fix, ...]:
    """The fix for `if tensor: break`; () if the loop cannot be carried over.

    A `for` goes round as often as before, and does nothing once the flag is set; a `while` becomes a while_loop. Always
    `unsafe`: eager pays milliseconds for each round.
    """
    edits = numbers_as_they_are_or_tensors(lambda numbers: _edits(locate(context), numbers=numbers))
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def _edits(place: Place, *, numbers: bool) -> tuple[Edit, ...]:
    branch = place.branch()
    path = place.upto(branch)
    loop = next((n for n in reversed(path[:-1]) if isinstance(n, (cst.For, cst.While))), None)
    if (
        not isinstance(branch, cst.If)
        or not contains([branch], cst.Break, cst.Return)
        or loop is None
        or loop.orelse is not None
    ):
        raise Refused("no loop is left")
    parent = path[path.index(loop) - 1]
    if not isinstance(parent, cst.IndentedBlock):
        raise Refused("the loop can be left in another way")
    content = _breaking(place, loop, statements(parent))
    swaps = numbers_as_tensors(place, place.upto(loop), loop) if numbers and isinstance(loop, cst.For) else []
    if numbers and not swaps:
        raise Refused("no number is a tensor from the start")
    content = with_swaps(content, swaps, place.inference) if swaps else content
    builder = Builder(place)
    flag = builder.name("done")
    before = place.inference.before(place.upto(loop))
    counts = counted(place, loop, before) if isinstance(loop, cst.While) else {}
    place.inference.overridden |= counts.keys()
    tensors = {name: Tensor("int64", SCALAR, frozenset([f"#{name}"])) for name in counts}
    body = _flagged(place, builder, statements(content), flag, {**before, **tensors})
    if contains(body, cst.Break, cst.Continue):
        raise Refused("the loop can be left in another way")
    made = f"{flag} = {_like(loop, before)}.new_zeros((), dtype={place.torch}.bool)"
    first = cst.ensure_type(cst.parse_statement(made), cst.SimpleStatementLine)
    if isinstance(loop, cst.While):
        return _while(place, builder, loop, body, flag, first)
    return _for(place, builder, loop, body, flag, first, swaps)


def _breaking(place: Place, loop: cst.For | cst.While, around: Statements) -> cst.BaseSuite:
    """The body of a loop that returns what is returned behind it too, with `break` in the place of the return."""
    if not contains(statements(loop.body), cst.Return):
        return loop.body
    at = next(i for i, statement in enumerate(around) if statement is loop)
    last = around[at + 1] if len(around) > at + 1 else None
    code = place.tree.code(last).strip() if isinstance(last, cst.SimpleStatementLine) else ""

    class Leave(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.BaseSmallStatement:
            if place.tree.code(original_node).strip() != code:
                raise Refused("the loop can be left in another way")
            return cst.Break()

        def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
            done = super().on_leave(original_node, updated_node)
            if isinstance(done, cst.CSTNode) and done is not original_node:
                place.inference.origin[done] = place.inference.origin.get(original_node, original_node)
                return done
            return original_node

    return cst.ensure_type(loop.body.visit(Leave()), cst.BaseSuite)


def _flag(flag: str) -> Tensor:
    return Tensor("bool", SCALAR, frozenset([f"#{flag}"]))


def _like(loop: cst.For | cst.While, env: Environment) -> str:
    """A tensor of the loop, so that the flag is where it is."""
    for name in in_order(loop):
        if isinstance(env.get(name), Tensor):
            return name
    raise Refused("no tensor goes into the loop")


def _flagged(place: Place, builder: Builder, block: Statements, flag: str, env: Environment) -> Statements:
    """The statements of a round with each `if test: break` as the setting of the flag, and a branch on it."""
    for index, statement in enumerate(block):
        if not isinstance(statement, cst.If) or not contains([statement], cst.Break):
            continue
        body, other = sides(statement)
        if not _breaks(body) or contains(body[:-1], cst.Break) or (other and contains(other, cst.Break)):
            raise Refused("an unusual way out of the loop")
        inside = dict(env)
        place.inference.run(block[:index], inside)
        inside.update({name: known for name, known in env.items() if name in place.inference.overridden})
        predicate = builder.predicates.on_tensors(statement.test, inside)
        if predicate.kind != TENSOR or predicate.guard or not predicate.scalar:
            raise Refused("the test may have dimensions")
        value = cst.parse_expression(predicate.code)
        place.inference.known[value] = Tensor("bool", SCALAR, place.inference.fresh())
        setting = cst.SimpleStatementLine(
            [cst.Assign([cst.AssignTarget(cst.Name(flag))], value)], leading_lines=statement.leading_lines
        )
        rest = _flagged(place, builder, [*other, *block[index + 1 :]], flag, inside)
        done = body[:-1]
        if not done and not rest:
            return [*block[:index], setting]
        if not done:
            test: cst.BaseExpression = cst.UnaryOperation(cst.Not(), cst.Name(flag))
            return [*block[:index], setting, cst.If(test, cst.IndentedBlock(rest))]
        orelse = cst.Else(cst.IndentedBlock(rest)) if rest else None
        return [*block[:index], setting, cst.If(cst.Name(flag), cst.IndentedBlock(done), orelse)]
    return block


def _breaks(block: Statements) -> bool:
    """Whether a block ends with `break`."""
    last = block[-1] if block else None
    return isinstance(last, cst.SimpleStatementLine) and len(last.body) == 1 and isinstance(last.body[0], cst.Break)


def _for(
    place: Place,
    builder: Builder,
    loop: cst.For,
    body: Statements,
    flag: str,
    first: cst.SimpleStatementLine,
    swaps: list[Swap],
) -> tuple[Edit, ...]:
    """The loop with all of a round in a branch on the flag."""
    path = place.upto(loop)
    old = statements(loop.body)
    inner, last = (*path, loop.body, old[0]), (*path, loop.body, old[-1])
    env = {**place.inference.before(inner), flag: _flag(flag)}
    builder.after = [replace_all(node, swaps) for node in code_after(last, place.function)]
    sure = assigned_before(inner, place.function) | {flag}
    live = live_after(last, place.function, old) | {flag}
    test: cst.BaseExpression = cst.UnaryOperation(cst.Not(), cst.Name(flag))
    late = _late(place, body, live, sure, env)
    beginnings: Statements = []
    if late:
        # The first round is always done: it gives them a value.
        unset = cst.parse_expression(f"{late[0]} is None")
        test = cst.BooleanOperation(unset, cst.Or(), test)
        beginnings = [line(f"{' = '.join(late)} = None")]
    round_ = cst.If(test, cst.IndentedBlock(body))
    done, _ = builder.convert(round_, [], live, env, sure | set(late))
    header = loop.body.header if isinstance(loop.body, cst.IndentedBlock) else cst.TrailingWhitespace()
    new = loop.with_changes(body=cst.IndentedBlock(done, header=header), leading_lines=[])
    return _put(place, loop, [first.with_changes(leading_lines=loop.leading_lines), *beginnings, new], swaps)


def _late(place: Place, body: Statements, live: frozenset[str], sure: set[str], env: Environment) -> list[str]:
    """The names that a round is the first to give a value, and that are read behind the loop; `env` learns what it is."""
    bound = surely_assigned(body)
    found = [name for name in in_order(cst.IndentedBlock(body)) if name in bound and name in live and name not in sure]
    if not found:
        return []
    if live_before(body, frozenset()) & set(found):
        raise Refused("a round reads what only an earlier one gives a value")
    trial = dict(env)
    place.inference.run(body, trial)
    for name in found:
        known = trial.get(name)
        if not isinstance(known, Tensor):
            raise Refused(f"{name} is no tensor")
        env[name] = Tensor(known.dtype, known.shape, frozenset([name]), False, known.told)
    return found


def _while(
    place: Place, builder: Builder, loop: cst.While, body: Statements, flag: str, first: cst.SimpleStatementLine
) -> tuple[Edit, ...]:
    """The loop as a while_loop that the flag ends."""
    running: cst.BaseExpression = cst.UnaryOperation(cst.Not(), cst.Name(flag))
    if dotted(loop.test) != "True" and not (isinstance(loop.test, cst.Integer) and loop.test.value == "1"):
        running = cst.BooleanOperation(loop.test, cst.And(), running)
    content = loop.with_changes(test=running, body=cst.IndentedBlock(body))
    done = while_of(place, builder, loop, content, {flag: _flag(flag)})
    return _put(place, loop, [first.with_changes(leading_lines=loop.leading_lines), *done])


def _put(place: Place, loop: cst.For | cst.While, done: Statements, swaps: Sequence[Swap] = ()) -> tuple[Edit, ...]:
    parent = cst.ensure_type(place.upto(loop)[-2], cst.IndentedBlock)
    block: list[cst.BaseStatement] = []
    for statement in statements(parent):
        block += done if statement is loop else [statement]
    new = parent.with_changes(body=block)
    if not swaps:
        return finished(place, replaced(place.tree, parent, new))
    after = replace_all(place.tree.module, [*swaps, (parent, replace_all(new, swaps))])
    return finished(place, difference(place.tree.text, after.code))
