"""A loop whose number of rounds is not known while tracing, as `torch._higher_order_ops.while_loop`.

Measured on torch 2.13, in both modes: the functions may close over tensors, `self`, submodules and sizes of inputs, not
over an unbacked SymInt; what is carried must keep dtype, shape and strides from round to round, and share no storage
with what goes in. A tensor without dimensions in an index is read as a number, one of one element is not. Gradients are
those of the loop only where what is carried wants some before the first round: else those of all rounds but the last are
lost without a word, so the rewrite is for inference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branch_lowering import BranchLowering, Statements
from exportdb_rules.rewrite.branching.branches import Builder
from exportdb_rules.rewrite.branching.condition import TENSOR
from exportdb_rules.rewrite.branching.operands import in_order, passed
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.known.liveness import assigned_before, code_after, contains, live_in, live_out
from exportdb_rules.rewrite.known.mutation import copy_is_observable, is_unaliased, side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import SCALAR, Items, Number, TensorSignature, agree
from exportdb_rules.rewrite.looping.gradients import refuse_lost_gradients
from exportdb_rules.rewrite.looping.loop_heads import (
    Head,
    counts_only,
    enclosing_loop,
    head,
    refuse_python_use,
    scalar_indices,
    with_indices,
)
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import line, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.inference import Environment

TITLE: Final = "Rewrite as while_loop (inference only; milliseconds per call in eager)"


def loop_to_while_loop(context: FixContext) -> tuple[Fix, ...]:
    """The fix for `while` on a tensor, for `for … in range(n)` where data or a dynamic size say how often, and for loops
    over the rows of a tensor; () if the loop cannot be carried over.

    Always `unsafe`: eager pays milliseconds for each call, and may lose gradients.
    """
    try:
        edits = _edits(locate(context))
    except FixNotApplicable:
        return ()
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def _edits(place: FixSite) -> tuple[Edit, ...]:
    node = enclosing_loop(place)
    parent = place.upto(node)[-2]
    if not isinstance(parent, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.SHARED_LINE, "the loop is not in a block")
    done = while_of(place, Builder(place), node, node, {})
    if not node.leading_lines and parent.body[0] is not node:
        done[0] = done[0].with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    block: list[cst.BaseStatement] = []
    for statement in statements(parent):
        block += done if statement is node else [statement]
    return validated_edits(place, replaced(place.tree, parent, parent.with_changes(body=block)))


def while_of(
    place: FixSite, builder: Builder, node: cst.While | cst.For, content: cst.While | cst.For, more: Environment
) -> Statements:
    """The statements that replace a loop.

    `node` is the loop of the text, `content` what it shall do, which may be something else; `more` are names that have a
    value before it besides. Raises FixNotApplicable if no rewrite is faithful.
    """
    path = place.upto(node)
    body = statements(content.body)
    if node.orelse is not None or contains(body, cst.Return, cst.Break, cst.Continue):
        raise FixNotApplicable(NoFix.OTHER_EXIT, "the loop has another exit")
    env = {**place.inference.before(path), **more}
    live = live_out(path, place.function)
    assigned = assigned_before(path, place.function) | more.keys()
    made = head(place, builder, content, env, live) if isinstance(content, cst.For) else None
    if made is not None:
        refuse_python_use(place, content.body, made.counter)
    counts = counted(place, node, env)
    place.inference.overridden |= {*counts, *([made.counter] if made is not None else [])}
    for name in counts:
        env[name] = TensorSignature("int64", SCALAR, frozenset([f"#{name}"]))
    inner = dict(env)
    counters = scalar_indices(place, content, env) | ({made.counter} if made is not None else set[str]())
    content = cst.ensure_type(with_indices([content], counters, place)[0], type(content))
    body = statements(content.body)
    if made is not None:
        body = [*made.first, *body]
        inner.update({made.counter: TensorSignature("int64", SCALAR, frozenset([made.counter])), **made.bound})
    order = _carried(content, made, env, assigned, live)
    refuse_lost_gradients(place, node, order)
    side = BranchLowering(
        builder, body, inner, content.body.footer if isinstance(content.body, cst.IndentedBlock) else []
    )
    side.prepare(frozenset(order), assigned | inner.keys())
    side.finish(cst.Tuple([cst.Element(cst.Name(n)) for n in order]))
    _same(side, order, env)
    _refuse_observable_copies(order, env, [place.function.body], code_after(path, place.function))
    done = _call(place, builder, content, side, order, env, made)
    # Eager refuses writes into what the operator gives, where gradients are wanted.
    later = side_effects(code_after(path, place.function)).names
    done += [line(f"{name} = {name}.clone()") for name in order if name in later and name not in counts]
    # What comes after counts in Python.
    done += [line(f"{name} = {name}.item()") for name in counts if name in live]
    first = [line(f"{name} = {_begun(place, code, read=name in live)}") for name, code in counts.items()]
    before = [*first, *(made.before if made is not None else [])]
    if before:
        done[0] = done[0].with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    done = [*before, *done]
    done[0] = done[0].with_changes(leading_lines=node.leading_lines)
    return done


def counted(place: FixSite, loop: cst.While | cst.For, env: Environment) -> dict[str, str]:
    """Python numbers that the loop counts with (`i = 0` before it, `i += 1` in it), by name, with the number that they begin
    with. They are carried as tensors."""
    written = names(loop.body).writes
    found = {
        name: known.code
        for name in in_order(loop)
        if name in written and isinstance(known := env.get(name), Number) and known.code.lstrip("-").isdigit()
    }
    return {name: code for name, code in found.items() if counts_only(place, loop, name, found.keys())}


def _begun(place: FixSite, code: str, *, read: bool) -> str:
    """The tensor that a count begins as. A constant is not `read` behind the loop: strict export would go on with what it is
    after the round that was traced (measured on torch 2.13)."""
    return f"{place.torch}.full((), {code})" if read else f"{place.torch}.tensor({code})"


def _carried(
    content: cst.While | cst.For, made: Head | None, env: Environment, assigned: set[str], live: frozenset[str]
) -> list[str]:
    """What goes from round to round, in order."""
    body = statements(content.body)
    # The test stands before the body and again behind it: what the body writes for the next test is carried.
    tested = names(content.test).reads if isinstance(content, cst.While) else set[str]()
    reads = live_in(body, frozenset(tested)) | tested
    exposed = live_in(body, frozenset())
    mutated = {n for n in side_effects(body).names if n in exposed and isinstance(env.get(n), TensorSignature)}
    written = names(body).writes | mutated
    own: set[str] = set() if made is None else {made.counter, *made.bound}
    order = [n for n in in_order(content) if n in written and (n in reads or n in live) and n not in own]
    if not order:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the loop computes nothing that is used")
    if not set(order) <= assigned or not all(isinstance(env.get(n), TensorSignature) for n in order):
        raise FixNotApplicable(
            NoFix.LOOP_CARRIED, "the loop carries something that is not a tensor, or has no value before it"
        )
    if own & written:
        raise FixNotApplicable(NoFix.LOOP_NAME_USED_LATER, "the loop changes what its head binds")
    return order


def _refuse_observable_copies(
    order: list[str], env: Environment, before: list[cst.CSTNode], later: list[cst.CSTNode]
) -> None:
    for name in order:
        # With no round at all the name holds what it held before.
        known = env[name]
        if is_unaliased(name, env, before):
            continue
        if isinstance(known, TensorSignature) and copy_is_observable(name, known.storages, env, later):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, f"{name} is changed in place later, and would be a copy then")


def _call(
    place: FixSite,
    builder: Builder,
    content: cst.While | cst.For,
    side: BranchLowering,
    order: list[str],
    env: Environment,
    made: Head | None,
) -> Statements:
    """The two functions, and the call."""
    keep, step = builder.name("keep_going"), builder.name("step")
    parameters = [made.counter, *order] if made is not None else order
    test = f"{made.counter} < {made.limit}" if made is not None else _test(builder, content, env)
    functions = _functions(content, (keep, step), parameters, test, side, made)
    # What the functions read besides must not share storage with what is carried.
    tested = names(content.test).reads if isinstance(content, cst.While) else set[str]()
    free = (live_in(side.block, frozenset()) | tested) - set(order)
    outside = {r for n in free if isinstance(known := env.get(n), TensorSignature) for r in known.storages}
    arguments = passed(order, env, side.block, outside, layout=True)
    if made is not None:
        first = "zeros_like" if made.start == "0" else "full_like"
        start = "" if made.start == "0" else f", {made.start}"
        arguments.insert(0, f"{place.torch}.{first}({made.limit}{start})")
    closing = "," if len(arguments) == 1 else ""
    call = f"{place.torch}._higher_order_ops.while_loop({keep}, {step}, ({', '.join(arguments)}{closing}))"
    target = f"({parameters[0]},)" if len(parameters) == 1 else ", ".join(parameters)
    last = line(f"{target} = {call}").with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    return [*functions, last]


def _test(builder: Builder, node: cst.While | cst.For, env: Environment) -> str:
    assert isinstance(node, cst.While)
    predicate = builder.predicates.translate(node.test, dict(env))
    if predicate.kind != TENSOR or predicate.guard:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the condition is not a tensor")
    if not predicate.scalar:
        raise FixNotApplicable(NoFix.NOT_A_SCALAR, "the condition may be more than a scalar")
    return predicate.code


def _same(side: BranchLowering, order: list[str], env: Environment) -> None:
    """Raises FixNotApplicable unless a round leaves dtypes and shapes as they were."""
    (result,) = side.results
    items = result.items if isinstance(result, Items) else (result,)
    for name, item in zip(order, items, strict=True):
        if not agree(env[name], item, presume=True):
            raise FixNotApplicable(NoFix.LOOP_SHAPE, f"{name} may change its shape between iterations")


def _functions(
    node: cst.While | cst.For,
    names_: tuple[str, str],
    parameters: list[str],
    test: str,
    side: BranchLowering,
    made: Head | None,
) -> Statements:
    given = cst.Parameters([cst.Param(cst.Name(p)) for p in parameters])
    block = side.block
    if made is not None:
        block = [*block[:-1], _counted(block[-1], made.counter)]
    keep = cst.FunctionDef(cst.Name(names_[0]), given, cst.IndentedBlock([line(f"return {test}")]))
    header = node.body.header if isinstance(node.body, cst.IndentedBlock) else cst.TrailingWhitespace()
    step = cst.FunctionDef(
        cst.Name(names_[1]),
        given.deep_clone(),
        cst.IndentedBlock(block, header=header),
        leading_lines=[cst.EmptyLine(indent=False)],
    )
    return [keep, step]


def _counted(last: cst.BaseStatement, counter: str) -> cst.BaseStatement:
    """The return of a round, with the counter of the next one before what is carried."""
    assert isinstance(last, cst.SimpleStatementLine)
    (only,) = last.body
    assert isinstance(only, cst.Return)
    value = only.value
    assert isinstance(value, cst.Tuple)
    first = cst.Element(cst.parse_expression(f"{counter} + 1"))
    return last.with_changes(body=[only.with_changes(value=cst.Tuple([first, *value.elements], lpar=[], rpar=[]))])
