"""A loop that a tensor leaves early, as one with a flag: `break` cannot be traced, a branch on the flag can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branches import Builder
from exportdb_rules.rewrite.branching.number_outputs import (
    Swap,
    first_literal,
    numbers_as_tensors,
    numbers_as_they_are_or_tensors,
    with_swaps,
)
from exportdb_rules.rewrite.branching.operands import in_order
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.known.liveness import (
    assigned_before,
    code_after,
    contains,
    definitely_assigned,
    live_in,
    live_out,
)
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.known.signature import INTEGERS, SCALAR, TensorSignature
from exportdb_rules.rewrite.looping.exits import breaking, flagged, without_continue
from exportdb_rules.rewrite.looping.list_accumulators import CountedAccumulator, counted_accumulators, with_items
from exportdb_rules.rewrite.looping.loop_heads import enclosing_loop, is_scalar, with_indices
from exportdb_rules.rewrite.looping.loops import counted, while_of
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced, rewritten
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import (
    below,
    conjuncts,
    dotted,
    integer,
    line,
    occurrences,
    only_statement,
    replace_all,
    statements,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.rewrite.branching.branch_lowering import Statements
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.inference import Environment

TITLE: Final = "Replace the early exit with a flag (milliseconds per call in eager)"
TITLE_OF_BOUND: Final = "Run every iteration up to the bound, each in a torch.cond (milliseconds per call in eager)"


class _Rounds(Builder):
    """Branches of a loop that has names which the text does not have."""

    def bind(self, names: Iterable[str]) -> None:
        """Make such names locals of the function."""
        self._locals |= {*names}


def break_to_flag(context: FixContext) -> tuple[Fix, ...]:
    """The fix for `if tensor: break`, and for `while tensor and n < most`; () if the loop cannot be carried over.

    A `for` goes round as often as before, and does nothing once the flag is set; a `while` becomes a while_loop, or, where it
    counts up to a bound, a `for` that does nothing once the condition does not hold: that keeps all gradients. Always
    `unsafe`: eager pays milliseconds for each round.
    """
    edits = numbers_as_they_are_or_tensors(lambda numbers: _edits(locate(context), numbers=numbers))
    if not edits:
        try:
            edits = _edits(locate(context), numbers=False, counting=True)
        except FixNotApplicable:
            return make_fix(context, TITLE_OF_BOUND, Applicability.UNSAFE, _bounded)
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def _edits(place: FixSite, *, numbers: bool, counting: bool = False) -> tuple[Edit, ...]:
    """`numbers` makes tensors of the numbers that the loop computes with, `counting` of those that it counts with."""
    branch = place.branch()
    path = place.upto(branch)
    loop = next((n for n in reversed(path[:-1]) if isinstance(n, (cst.For, cst.While))), None)
    if (
        not isinstance(branch, cst.If)
        or not contains([branch], cst.Break, cst.Return)
        or loop is None
        or loop.orelse is not None
    ):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no loop is exited early")
    parent = path[path.index(loop) - 1]
    if not isinstance(parent, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.OTHER_EXIT, "the loop has another exit")
    gone_over = {one.value for one in targets(loop.target)} if isinstance(loop, cst.For) else set[str]()
    if gone_over & live_out(place.upto(loop), place.function):
        raise FixNotApplicable(
            NoFix.LOOP_NAME_USED_LATER, "what the loop went over when it was exited is used after it"
        )
    builder = _Rounds(place)
    content, made, behind = breaking(place, builder, loop, statements(parent))
    swaps = numbers_as_tensors(place, place.upto(loop), loop) if numbers and isinstance(loop, cst.For) else []
    if numbers and not swaps:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no number is a tensor from the start")
    content = with_swaps(content, swaps, place.inference) if swaps else content
    lists = counted_accumulators(place, builder, loop) if isinstance(loop, cst.For) else []
    flag = builder.name("done")
    before = place.inference.before(place.upto(loop))
    place.inference.run(made, before)
    counts = counted(place, loop, before) if counting or isinstance(loop, cst.While) else {}
    if counting and not counts:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the loop counts nothing")
    place.inference.overridden |= counts.keys()
    named = [*counts, *(one.count for one in lists)]
    more: Environment = {name: TensorSignature("int64", SCALAR, frozenset([f"#{name}"])) for name in named}
    block = with_items(statements(content), lists)
    if isinstance(loop, cst.For):
        block = _indexed(place, loop, block, {**before, **more})
    body = flagged(place, builder, without_continue(block), flag, {**before, **more, flag: _flag(flag)})
    if contains(body, cst.Break, cst.Continue):
        raise FixNotApplicable(NoFix.OTHER_EXIT, "the loop has another exit")
    first: Statements = [line(f"{flag} = {_like(loop, before)}.new_zeros((), dtype={place.torch}.bool)")]
    if isinstance(loop, cst.While):
        more = {name: before[name] for name in names(made).writes}
        running: cst.BaseExpression = cst.UnaryOperation(cst.Not(), cst.Name(flag))
        if dotted(loop.test) != "True" and not (isinstance(loop.test, cst.Integer) and loop.test.value == "1"):
            running = cst.BooleanOperation(loop.test, cst.And(), running)
        while_ = loop.with_changes(test=running, body=cst.IndentedBlock(body))
        done = while_of(place, builder, loop, while_, {flag: _flag(flag), **more})
        return _put(place, loop, [*made, *first, *done], behind)
    first += [line(f"{one.count} = {flag}.new_zeros((), dtype={place.torch}.int64)") for one in lists]
    first += [line(f"{name} = {place.torch}.full((), {code})") for name, code in counts.items()]
    live = live_out(place.upto(loop), place.function)
    last = [line(f"{name} = {name}.item()") for name in counts if name in live]
    done = _for(
        place,
        builder,
        loop,
        body,
        {**more, **{n: before[n] for n in names(made).writes}, flag: _flag(flag)},
        lists,
        swaps,
    )
    swaps = [*swaps, *behind, *((one.accumulator.call, one.joined(place)) for one in lists)]
    return _put(place, loop, [*made, *first, *done, *last], swaps)


def _bounded(place: FixSite) -> tuple[Edit, ...]:
    """`for n in range(most): if condition: …` of `while condition and n < most: …; n += 1`.

    What the condition reads is what it was once it does not hold, so that it holds in no later round either.
    """
    loop = enclosing_loop(place)
    path = place.upto(loop)
    parent = path[-2]
    if not isinstance(loop, cst.While) or not isinstance(parent, cst.IndentedBlock) or loop.orelse is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain while")
    *block, last = statements(loop.body)
    counter, limit, test = _bound(place, loop, block, last)
    begun = first_literal(place, path, counter)
    if begun is None or not isinstance(begun[1], cst.Integer):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the counter does not begin with a number that is written out")
    live = live_out(path, place.function)
    if counter in live or contains(block, cst.Break, cst.Continue, cst.Return) or not block:
        raise FixNotApplicable(NoFix.LOOP_NAME_USED_LATER, "the counter is used after the loop")
    builder = _Rounds(place)
    inner, end = (*path, loop.body, block[0]), (*path, loop.body, last)
    builder.after = code_after(end, place.function)
    assigned = assigned_before(inner, place.function)
    carried = live_out(end, place.function, [*block, last]) - {counter}
    round_ = cst.If(test, cst.IndentedBlock(block))
    done, _ = builder.convert(round_, [], carried, place.inference.before(inner), assigned)
    used = any(counter in names(node).reads for node in (*block, test))
    start = "" if begun[1].value == "0" else f"{begun[1].value}, "
    iterated = cst.parse_expression(f"range({start}{limit})")
    new = cst.For(cst.Name(counter if used else "_"), iterated, loop.body.with_changes(body=done))
    gone = begun[0] if begun[0] in parent.body and len(occurrences(place.function.body, counter)) == 3 + used else None
    before = [one for one in statements(parent) if one is not gone]
    done = [new.with_changes(leading_lines=loop.leading_lines) if one is loop else one for one in before]
    return validated_edits(place, replaced(place.tree, parent, parent.with_changes(body=done)))


def _bound(
    place: FixSite, loop: cst.While, block: Statements, last: cst.BaseStatement
) -> tuple[str, str, cst.BaseExpression]:
    """The name that a loop counts with, the number before which it stops, and what else its condition asks.

    Raises:
        FixNotApplicable: it does not stop at a number, or counts otherwise than by one at the end of each round.
    """
    only = only_statement([last])
    one = isinstance(only, cst.AugAssign) and isinstance(only.operator, cst.AddAssign) and integer(only.value) == 1
    counter = dotted(only.target) if isinstance(only, cst.AugAssign) and one else ""
    asked = conjuncts(loop.test)
    bounds = [part for part in asked if isinstance(part, cst.Comparison) and dotted(part.left) == counter]
    rest = [part for part in asked if part not in bounds]
    if not counter.isidentifier() or len(bounds) != 1 or len(bounds[0].comparisons) != 1 or not rest:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the loop does not count up to a bound")
    sign, most = bounds[0].comparisons[0].operator, bounds[0].comparisons[0].comparator
    kinds = place.inference.kinds(most)
    whole = [(type(c) is domain.Static and c.type == "int") or (type(c) is domain.Const and type(c.value) is int) for c in kinds]  # fmt: skip
    if not whole or not all(whole) or not isinstance(sign, (cst.LessThan, cst.LessThanEqual)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the bound is not a Python number")
    changed = names(block).writes | side_effects(block).names
    if (names(most).reads | {counter}) & changed or any(counter in names(part).reads for part in rest):
        raise FixNotApplicable(NoFix.LOOP_CARRIED, "the bound changes from iteration to iteration")
    test = rest[0]
    for part in rest[1:]:
        test = cst.BooleanOperation(test, cst.And(), part)
    code = place.tree.code(most)
    return counter, code if isinstance(sign, cst.LessThan) else f"{code} + 1", test


def _indexed(place: FixSite, loop: cst.For, block: Statements, env: Environment) -> Statements:
    """A round that indexes by tensors of one number: a branch would read one without dimensions as a number."""
    inside = dict(env)
    place.inference.run(statements(loop.body), inside)
    known = {
        n
        for n, one in inside.items()
        if isinstance(one, TensorSignature) and one.shape == SCALAR and one.dtype in INTEGERS
    }
    indices = [name for index in below(loop.body, cst.Index) for name in below(index, cst.Name)]
    counters = known | {name.value for name in indices if is_scalar(place, name, env)}
    return with_indices(block, counters, place) if any(name.value in counters for name in indices) else block


def _flag(flag: str) -> TensorSignature:
    return TensorSignature("bool", SCALAR, frozenset([f"#{flag}"]))


def _like(loop: cst.For | cst.While, env: Environment) -> str:
    """A tensor of the loop, so that the flag is where it is."""
    for name in in_order(loop):
        if isinstance(env.get(name), TensorSignature):
            return name
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no tensor goes into the loop")


def _for(
    place: FixSite,
    builder: _Rounds,
    loop: cst.For,
    body: Statements,
    more: Environment,
    lists: list[CountedAccumulator],
    swaps: list[Swap],
) -> Statements:
    """The loop with all of a round in a branch on the flag; `more` are the names that it has besides, the flag the last."""
    path = place.upto(loop)
    old = statements(loop.body)
    inner, last = (*path, loop.body, old[0]), (*path, loop.body, old[-1])
    env = {**place.inference.before(inner), **more}
    builder.bind(more)
    builder.after = [replace_all(node, swaps) for node in code_after(last, place.function)]
    assigned = assigned_before(inner, place.function) | more.keys()
    live = live_out(last, place.function, old) | frozenset([*more, *(one.item for one in lists)])
    test: cst.BaseExpression = cst.UnaryOperation(cst.Not(), cst.Name([*more][-1]))
    late = _late(place, body, live, assigned, env)
    beginnings: Statements = []
    if late:
        # The first round is always done: it gives them a value.
        unset = cst.parse_expression(f"{late[0]} is None")
        test = cst.BooleanOperation(unset, cst.Or(), test)
        beginnings = [line(f"{' = '.join(late)} = None")]
    if {one.item for one in lists} - {*late}:
        raise FixNotApplicable(NoFix.LOOP_CARRIED, "a list may not grow in the first iteration")
    round_ = cst.If(test, cst.IndentedBlock(body))
    done, _ = builder.convert(round_, [], live, env, assigned | set(late))
    done += [one.appended() for one in lists]
    header = loop.body.header if isinstance(loop.body, cst.IndentedBlock) else cst.TrailingWhitespace()
    new = loop.with_changes(body=cst.IndentedBlock(done, header=header), leading_lines=[])
    return [*beginnings, new]


def _late(place: FixSite, body: Statements, live: frozenset[str], assigned: set[str], env: Environment) -> list[str]:
    """The names that a round is the first to give a value, and that are read behind the loop; `env` learns what it is."""
    bound = definitely_assigned(body)
    found = [
        name for name in in_order(cst.IndentedBlock(body)) if name in bound and name in live and name not in assigned
    ]
    if not found:
        return []
    if live_in(body, frozenset()) & set(found):
        raise FixNotApplicable(NoFix.LOOP_CARRIED, "an iteration reads what only an earlier one gives a value")
    trial = dict(env)
    place.inference.run(body, trial)
    for name in found:
        known = trial.get(name)
        if not isinstance(known, TensorSignature):
            raise FixNotApplicable(NoFix.NOT_A_TENSOR, f"{name} is not a tensor")
        env[name] = TensorSignature(known.dtype, known.shape, frozenset([name]), False, known.observed)
    return found


def _put(place: FixSite, loop: cst.For | cst.While, done: Statements, swaps: Sequence[Swap] = ()) -> tuple[Edit, ...]:
    parent = cst.ensure_type(place.upto(loop)[-2], cst.IndentedBlock)
    done = [done[0].with_changes(leading_lines=loop.leading_lines), *done[1:]]
    block: list[cst.BaseStatement] = []
    for statement in statements(parent):
        block += done if statement is loop else [statement]
    new = parent.with_changes(body=block)
    if not swaps:
        return validated_edits(place, replaced(place.tree, parent, new))
    return validated_edits(place, rewritten(place.tree, [*swaps, (parent, replace_all(new, swaps))]))
