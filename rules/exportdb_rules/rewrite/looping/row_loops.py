"""Loops over the rows of a tensor that collect what each round gives, as `torch.vmap`, `map` or `scan`.

Measured on torch 2.13, in both modes, with static and with dynamic sizes:
- `torch.vmap` exports where the function reads no parameter, buffer or module (strict export refuses those inside it),
  and costs eager less than the loop; of the operators, those in `_MAPPED` keep the size dynamic.
- `torch._higher_order_ops.map` exports functions that close over parameters, submodules and sizes. Its results may share no
  storage with the row, nor what it closes over with the rows; and all of them must be floating, or eager fails where
  gradients are wanted. Eager pays tens of milliseconds a call; a `torch.cond` inside may fail there once the sizes change.
- `torch._higher_order_ops.scan` exports what carries a state from row to row, on the same terms; its gradients are those of
  the loop. Eager pays tenths of a second a call.
- All three take the rows of several tensors side by side, also the numbers of the rounds.
- A loop that begins with the second row goes over all rows, and leaves what it holds as it is in the first round: a slice
  of the rows may have one only, where the dimension promises two. What that round computes in vain may have a gradient.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branch_lowering import BranchLowering, Statements
from exportdb_rules.rewrite.branching.branches import Builder, tuple_of
from exportdb_rules.rewrite.branching.operands import in_order, passed
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, lines_before, locate
from exportdb_rules.rewrite.known.liveness import assigned_before, code_after, contains, live_in, live_out
from exportdb_rules.rewrite.known.mutation import copy_is_observable, side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import Items, Signature, Sliced, TensorSignature, agree, floating
from exportdb_rules.rewrite.looping.data_dependence_guard import refuse_deciding
from exportdb_rules.rewrite.looping.list_accumulators import (
    ListAccumulator,
    list_accumulators,
    without_lists,
    writes_in_place,
)
from exportdb_rules.rewrite.looping.loop_heads import enclosing_loop
from exportdb_rules.rewrite.looping.row_heads import Rows, rows_of
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, line, parse, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.inference import Environment

VMAP: Final = "Rewrite as torch.vmap"
MAP: Final = "Rewrite as map (tens of milliseconds per call in eager)"
SCAN: Final = "Rewrite as scan (tenths of a second per call in eager)"
SCAN_FROM_SECOND: Final = "Rewrite as scan (inference only; tenths of a second per call in eager)"

# Operators that were measured under vmap.
_MAPPED: Final = frozenset(
    """
    abs absolute acos add all amax amin any argmax argmin asin asinh atan atanh ceil celu clamp clamp_max clamp_min
    clip copysign cos cosh count_nonzero cumprod cumsum deg2rad digamma div divide elu eq erf erfc erfinv exp exp2
    expm1 flip floor floor_divide fmod frac ge gelu greater greater_equal gt hardshrink hardsigmoid hardswish
    hardtanh isfinite isinf isnan isneginf isposinf le leaky_relu less less_equal lgamma log log10 log1p log2
    log_softmax logcumsumexp logical_not logit logsigmoid logsumexp lt max mean median min mish mul multiply
    nan_to_num nanmean nansum ne neg negative norm normalize not_equal pow prod rad2deg reciprocal relu relu6
    remainder roll round rsqrt rsub selu sgn sigmoid sign signbit silu sin sinc sinh softmax softmin softplus
    softshrink softsign sqrt square std sub subtract sum tan tanh tanhshrink threshold true_divide trunc var
    """.split()
)


def rows_collected(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a loop, or a comprehension, whose results are stacked; () if its rounds hang together in another way.

    Always `unsafe`: eager pays for the operators, and rounds sums over all rows in another way.
    """
    try:
        title, edits = _comprehension(context) or _loop(context)
    except FixNotApplicable:
        return ()
    return (Fix(title, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


# --- comprehensions -----------------------------------------------------------------------------------------------------


def _comprehension(context: FixContext) -> tuple[str, tuple[Edit, ...]] | None:
    """`torch.stack([f(row) for row in rows])`; None where the finding stands in no comprehension."""
    tree = parse(context.text)
    path = () if tree is None else tree.path(context.finding.span)
    found = next((i for i, n in enumerate(path) if isinstance(n, (cst.ListComp, cst.GeneratorExp))), None)
    if tree is None or found is None:
        return None
    comprehension, call = path[found], path[found - 2]
    assert isinstance(comprehension, (cst.ListComp, cst.GeneratorExp))
    clause = comprehension.for_in
    if not isinstance(call, cst.Call) or len(call.args) != 1 or clause.ifs or clause.inner_for_in is not None:
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "more than one list is stacked")
    span = tree.span(call)
    if span is None or "#" in tree.code(call):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported comprehension")
    place = locate(context, span)
    if dotted(call.func) != f"{place.torch}.stack" or isinstance(comprehension, cst.GeneratorExp):
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "the rows are not stacked")
    env, at, builder = place.environment(), place.statement(), Builder(place)
    assert at is not None
    content = cst.For(clause.target, clause.iter, cst.IndentedBlock([cst.SimpleStatementLine([cst.Expr(comprehension.elt)])]))  # fmt: skip
    rows = rows_of(place, builder, content, env, at)
    _refuse_slices(rows)
    (only,) = rows.body
    element = cst.ensure_type(cst.ensure_type(only, cst.SimpleStatementLine).body[0], cst.Expr).value
    before = list(rows.before)
    if _independent(place, element, rows.names, env):
        function = f"lambda {', '.join(rows.names)}: {place.tree.code(element)}"
        made = f"{place.torch}.vmap({function})({', '.join(_codes(rows))})"
        noncontiguous = any(part.known.maybe_noncontiguous for part in rows.parts)
        return VMAP, _comprehended(place, before, Edit(span, made + (".contiguous()" if noncontiguous else "")))
    inner = {**env, **rows.signatures()}
    side = BranchLowering(builder, [], inner, [])
    side.prepare(frozenset(), set(inner))
    side.finish(element)
    if len(side.block) != 1 or not _differentiable(side.results[0]):
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "an iteration gives more than a tensor of floating numbers")
    (last,) = cst.ensure_type(side.block[0], cst.SimpleStatementLine).body
    value = cst.ensure_type(last, cst.Return).value
    assert value is not None
    refuse_deciding(place, [value])
    given, bound = _given(rows, [value], env), rows.names
    function = f"lambda {bound[0]}: {place.tree.code(value)}"
    if len(bound) > 1:
        function, argument = builder.name("each"), builder.name("rows")
        before += [f"def {function}({argument}):", f"    {', '.join(bound)} = {argument}"]
        before += [f"    return {place.tree.code(value)}"]
    code = f"{place.torch}._higher_order_ops.map({function}, {given})"
    if writes_in_place(place):
        # The results of the operator may not be written in place, a copy of them may.
        code += ".clone()"
    return MAP, _comprehended(place, before, Edit(span, code))


def _comprehended(place: FixSite, before: list[str], edit: Edit) -> tuple[Edit, ...]:
    return validated_edits(place, (*([lines_before(place, before)] if before else []), edit))


def _codes(rows: Rows) -> list[str]:
    """What a round is given, in the order of its names."""
    return [*([rows.numbers] if rows.counter else []), *(part.code for part in rows.parts)]


def _differentiable(signature: Signature) -> bool:
    return isinstance(signature, TensorSignature) and signature.dtype is not None and floating(signature.dtype)


def _independent(place: FixSite, node: cst.BaseExpression, rows: list[str], env: Environment) -> bool:
    """Whether an expression is made of the rows and of locals, by operators that were measured under vmap."""
    if names(node).reads.isdisjoint(rows) or not isinstance(node, (cst.Call, cst.BinaryOperation, cst.UnaryOperation)):
        return False
    words = {id(a.attr) for a in below(node, cst.Attribute)} | {id(a.keyword) for a in below(node, cst.Arg)}
    called = {id(call.func) for call in below(node, cst.Call)}
    for part in below(node, cst.BaseExpression):
        if isinstance(part, cst.Name):
            known = env.get(part.value)
            foreign = isinstance(known, TensorSignature) and any(root.startswith("self.") for root in known.storages)
            plain = id(part) in words or part.value in (*rows, place.torch, "True", "False") or part.value in env
            if not plain or foreign:
                return False
        elif isinstance(part, cst.Attribute):
            if id(part) not in called and not _number(place, part):
                return False
        elif isinstance(part, cst.Call):
            if not isinstance(part.func, cst.Attribute) or part.func.attr.value not in _MAPPED:
                return False
            if dotted(part.func.value) == "self" or any(arg.star for arg in part.args):
                return False
        elif isinstance(part, cst.BinaryOperation):
            if not isinstance(part.operator, (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.Power)):
                return False
        elif not isinstance(part, (cst.Integer, cst.Float, cst.UnaryOperation)):
            return False
    return True


def _number(place: FixSite, node: cst.BaseExpression) -> bool:
    kinds = place.inference.kinds(node)
    return bool(kinds) and all(isinstance(k, (domain.Const, domain.Static)) for k in kinds)


def _refuse_slices(rows: Rows) -> None:
    """Raises FixNotApplicable for a slice: the operators want two rows of it, where the dimension promises two itself."""
    for part in rows.parts:
        shape = part.known.shape
        parts = cast("tuple[Any, ...]", shape) if isinstance(shape, tuple) else ()
        if parts[:1] == ("index",) or isinstance(shape, Sliced):
            raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "a slice may have one row")


# --- loops --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Rounds:
    """A loop on its way to be a function: what it goes over, what it carries from row to row, what it collects."""

    rows: Rows
    carried: list[str]
    lists: list[ListAccumulator]
    side: BranchLowering

    @property
    def results(self) -> list[str]:
        """The names of the results: a list that had elements before the loop still holds these."""
        return [f"{one.name}_rows" if one.initial and not self.rows.first else one.name for one in self.lists]


def _loop(context: FixContext) -> tuple[str, tuple[Edit, ...]]:
    place = locate(context)
    node = enclosing_loop(place)
    path = place.upto(node)
    parent = path[-2]
    if not isinstance(node, cst.For) or not isinstance(parent, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a loop over rows")
    if node.orelse is not None or contains(statements(node.body), cst.Return, cst.Break, cst.Continue):
        raise FixNotApplicable(NoFix.OTHER_EXIT, "the loop has another exit")
    builder = Builder(place)
    rounds = _rounds(place, builder, node)
    title, done = _written(place, builder, rounds, place.inference.before(path))
    gone = {id(one.made) for one in rounds.lists if not one.initial}
    begins = next(s for s in parent.body if id(s) not in gone) is node
    apart = [] if node.leading_lines or begins else [cst.EmptyLine(indent=False)]
    done[0] = done[0].with_changes(leading_lines=[*apart, *node.leading_lines])
    block = without_lists(place, parent, node, done, rounds.lists, rounds.results)
    return title, validated_edits(place, replaced(place.tree, parent, parent.with_changes(body=block)))


def _rounds(place: FixSite, builder: Builder, node: cst.For) -> _Rounds:
    path = place.upto(node)
    env = place.inference.before(path)
    lists = list_accumulators(place, node)
    rows = rows_of(place, builder, node, env, node)
    _refuse_slices(rows)
    if rows.first and not all(len(one.initial) == rows.first for one in lists):
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "the results are fewer than the rows")
    body, results, notes = _without_append(builder, rows.body, lists)
    own = {*rows.names, *(one.name for one in lists)}
    live = live_out(path, place.function) - own
    written = names(body).writes
    assigned = assigned_before(path, place.function)
    read = live_in([*body, cst.SimpleStatementLine([cst.Return(tuple_of(results))])], frozenset())
    carried = [n for n in in_order(node) if n in written and (n in read or n in live)]
    if not set(carried) <= assigned or not all(isinstance(env.get(n), TensorSignature) for n in carried):
        raise FixNotApplicable(
            NoFix.LOOP_CARRIED, "the loop carries something that is not a tensor, or has no value before it"
        )
    if live & {*rows.names} or own & written:
        raise FixNotApplicable(NoFix.LOOP_NAME_USED_LATER, "a row is used after the loop")
    if names(node.iter).reads & written or side_effects(code_after(path, place.function)).names & {*carried}:
        raise FixNotApplicable(
            NoFix.ALIASED_WRITE, "what is carried is the rows themselves, or is written in place later"
        )
    changed = side_effects(body)
    if changed.unsupported or changed.names & {*carried, *names(results).reads, *live_in(body, frozenset())}:
        raise FixNotApplicable(
            NoFix.ALIASED_WRITE, "an element of a list, or what is defined outside, is changed in place"
        )
    inner = {**env, **rows.signatures()}
    side = BranchLowering(builder, body, inner, notes)
    side.prepare(frozenset([*carried, *names(results).reads]), assigned | inner.keys())
    every = [*[cst.Name(n) for n in carried], *results]
    side.finish(tuple_of(every))
    _refuse_unlike(side, carried, len(results), env)
    later = code_after(path, place.function)
    for name in carried:
        known = env[name]
        if isinstance(known, TensorSignature) and copy_is_observable(name, known.storages, env, later):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, f"{name} is changed in place later, and would be a copy then")
    return _Rounds(rows, carried, lists, side)


def _without_append(
    builder: Builder, body: Statements, lists: list[ListAccumulator]
) -> tuple[Statements, list[cst.BaseExpression], list[cst.EmptyLine]]:
    """The body without what it appends, which expressions hold that at its end, and the comments that stood there."""
    appended = {one.name: one for one in lists}
    done: Statements = []
    results: dict[str, cst.BaseExpression] = {}
    notes: list[cst.EmptyLine] = []
    for index, statement in enumerate(body):
        name, value = _append(statement, appended)
        if name is None or value is None:
            done.append(statement)
            continue
        assert isinstance(statement, cst.SimpleStatementLine)
        if statement is body[-1]:
            results[name] = value
            notes = [one for one in statement.leading_lines if one.comment is not None]
            if statement.trailing_whitespace.comment is not None:
                notes.append(cst.EmptyLine(comment=statement.trailing_whitespace.comment))
            continue
        silent = all(one.comment is None for one in (*statement.leading_lines, statement.trailing_whitespace))
        if isinstance(value, cst.Name) and value.value not in names(body[index:]).writes and silent:
            results[name] = value
            continue
        item = builder.name("item")
        results[name] = cst.Name(item)
        kept = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(item))], value)])
        done.append(
            kept.with_changes(leading_lines=statement.leading_lines, trailing_whitespace=statement.trailing_whitespace)
        )
    return done, [results[one.name] for one in lists], notes


def _append(
    statement: cst.BaseStatement, lists: dict[str, ListAccumulator]
) -> tuple[str | None, cst.BaseExpression | None]:
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None, None
    only = statement.body[0]
    if not isinstance(only, cst.Expr) or not isinstance(only.value, cst.Call):
        return None, None
    name, _, method = dotted(only.value.func).rpartition(".")
    return (name, only.value.args[0].value) if method == "append" and name in lists else (None, None)


def _refuse_unlike(side: BranchLowering, carried: list[str], results: int, env: Environment) -> None:
    """Raises FixNotApplicable unless a round leaves what it carries as it was, and gives one tensor for each list."""
    (result,) = side.results
    items: tuple[Signature, ...] = (
        result.items if isinstance(result, Items) and len(carried) + results > 1 else (result,)
    )
    if len(items) != len(carried) + results or not all(_differentiable(item) for item in items):
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "an iteration gives more than tensors of floating numbers")
    for name, item in zip(carried, items, strict=False):
        if not agree(env[name], item, presume=True):
            raise FixNotApplicable(NoFix.LOOP_SHAPE, f"{name} may change its shape from row to row")


def _given(rows: Rows, code: list[cst.CSTNode], env: Environment, carried: Iterable[str] = ()) -> str:
    """The rows as the operator is given them: copies where its function reads what they share storage with, or where they
    share it among themselves."""
    bound = {*rows.names, *carried}
    read = live_in([cst.SimpleStatementLine([cst.Expr(c)]) if isinstance(c, cst.BaseExpression) else c for c in code], frozenset()) - bound  # fmt: skip
    attributes = {dotted(a) for c in code for a in below(c, cst.Attribute)} - {""}
    shared = {r for n in read if isinstance(one := env.get(n), TensorSignature) for r in one.storages} | attributes
    codes = [rows.numbers] if rows.counter else []
    for part in rows.parts:
        loose = not all(c.isalnum() or c in "_.[:]" for c in part.code)
        copied = f"({part.code}).clone()" if loose else f"{part.code}.clone()"
        codes.append(copied if part.known.storages & shared else part.code)
        shared |= part.known.storages
    return codes[0] if len(codes) == 1 else f"({', '.join(codes)})"


def _written(place: FixSite, builder: Builder, rounds: _Rounds, env: Environment) -> tuple[str, Statements]:
    """The function of a round, and the call of the operator."""
    side, rows, carried = rounds.side, rounds.rows, rounds.carried
    given = _given(rows, [*side.block], env, carried)
    block = side.block
    refuse_deciding(place, block)
    before = [line(code) for code in rows.before]
    one, outs = rows.names[0], rounds.results
    if any(out != own.name and builder.name(out) != out for out, own in zip(outs, rounds.lists, strict=True)):
        raise FixNotApplicable(NoFix.NAME_CLASH, "the name for the rows is taken")
    if len(rows.names) > 1:
        one = builder.name("rows")
        block = [line(f"{', '.join(rows.names)} = {one}"), *block]
    if not carried:
        if rows.first:
            raise FixNotApplicable(NoFix.LOOP_RESULTS, "the results are fewer than the rows")
        if any(dotted(call.func).endswith(".cond") for part in block for call in below(part, cst.Call)):
            raise FixNotApplicable(
                NoFix.UNTRACEABLE, "torch.cond inside map: eager may need sizes that are unknown there"
            )
        function = _function(builder.name("each"), [one], block)
        call = f"{', '.join(outs)} = {place.torch}._higher_order_ops.map({function.name.value}, {given})"
        return MAP, [*before, _apart(function, before), _spaced(call)]
    read = live_in(block, frozenset()) - {one, *rows.names, *carried}
    parts = {r for part in rows.parts for r in part.known.storages}
    outside = {r for n in read if isinstance(known := env.get(n), TensorSignature) for r in known.storages} | parts
    first = passed(carried, env, block, outside, layout=True)
    state = carried[0] if len(carried) == 1 else builder.name("state")
    begin = first[0] if len(carried) == 1 else f"({', '.join(first)})"
    after = carried[0] if len(carried) == 1 else f"({', '.join(carried)})"
    out = outs[0] if len(outs) == 1 else f"({', '.join(outs)})"
    if len(carried) > 1:
        block = [line(f"{', '.join(carried)} = {state}"), *block]
    if rows.first:
        more, block = _from_the_second(place, builder, rounds, block)
        before += more
    function = _function(builder.name("step"), [state, one], [*block[:-1], _paired(block[-1], len(carried))])
    call = f"{after}, {out} = {place.torch}._higher_order_ops.scan({function.name.value}, {begin}, {given})"
    return SCAN_FROM_SECOND if rows.first else SCAN, [*before, _apart(function, before), _spaced(call)]


def _from_the_second(
    place: FixSite, builder: Builder, rounds: _Rounds, block: Statements
) -> tuple[Statements, Statements]:
    """The lines before, and the body of a round that changes nothing the first time, and gives what the lists begin with."""
    held = [builder.name(f"last_{name}") for name in rounds.carried]
    firsts = [builder.name(f"first_{one.name}") for one in rounds.lists]
    before = [line(f"{first} = {one.name}[0].clone()") for first, one in zip(firsts, rounds.lists, strict=True)]
    last = cst.ensure_type(block[-1], cst.SimpleStatementLine)
    only = cst.ensure_type(last.body[0], cst.Return)
    value = cst.ensure_type(only.value, cst.Tuple) if only.value is not None else None
    assert value is not None
    counter = rounds.rows.counter
    chosen = [
        f"{place.torch}.where({counter} > 0, {place.tree.code(element.value)}, {other})"
        for element, other in zip(value.elements, [*held, *firsts], strict=True)
    ]
    made = cst.Tuple([cst.Element(cst.parse_expression(code)) for code in chosen], lpar=[], rpar=[])
    # What a round is given is taken apart first.
    at = sum(len(given) > 1 for given in (rounds.rows.names, rounds.carried))
    kept = [line(f"{new} = {old}") for new, old in zip(held, rounds.carried, strict=True)]
    return before, [*block[:at], *kept, *block[at:-1], last.with_changes(body=[only.with_changes(value=made)])]


def _spaced(code: str) -> cst.BaseStatement:
    return line(code).with_changes(leading_lines=[cst.EmptyLine(indent=False)])


def _apart(function: cst.FunctionDef, before: Statements) -> cst.FunctionDef:
    return function.with_changes(leading_lines=[cst.EmptyLine(indent=False)]) if before else function


def _function(name: str, given: list[str], block: Statements) -> cst.FunctionDef:
    return cst.FunctionDef(
        cst.Name(name), cst.Parameters([cst.Param(cst.Name(g)) for g in given]), cst.IndentedBlock(block)
    )


def _paired(last: cst.BaseStatement, count: int) -> cst.BaseStatement:
    """The return of a round, as the state and the elements of the lists: `return (h, c), out`."""
    assert isinstance(last, cst.SimpleStatementLine)
    only = cst.ensure_type(last.body[0], cst.Return)
    value = cst.ensure_type(only.value, cst.Tuple) if only.value is not None else None
    assert value is not None
    parts = [tuple_of([e.value for e in part]) for part in (value.elements[:count], value.elements[count:])]
    parts = [
        part.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]) if isinstance(part, cst.Tuple) else part
        for part in parts
    ]
    return last.with_changes(body=[only.with_changes(value=tuple_of(parts))])
