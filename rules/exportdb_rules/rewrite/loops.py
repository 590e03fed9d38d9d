"""A loop whose number of rounds depends on data, as `torch._higher_order_ops.while_loop`.

Measured on torch 2.13, in both modes: the functions may close over tensors, `self` and submodules, not over an
unbacked SymInt; what is carried must keep dtype, shape and strides from round to round, and share no storage with
what goes in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.branches import Builder
from exportdb_rules.rewrite.finished import finished
from exportdb_rules.rewrite.liveness import assigned_before, code_after, contains, live_after, live_before
from exportdb_rules.rewrite.mutation import told_apart
from exportdb_rules.rewrite.names import names
from exportdb_rules.rewrite.operands import in_order, passed
from exportdb_rules.rewrite.place import Place, locate
from exportdb_rules.rewrite.predicate import TENSOR, parenthesised
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.side import Side, Statements
from exportdb_rules.rewrite.signature import SCALAR, Items, Tensor, agree
from exportdb_rules.rewrite.tree import dotted, replaced, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.inference import Environment

TITLE: Final = "Rewrite as while_loop (in eager, milliseconds a call)"


def loop_to_while_loop(context: FixContext) -> tuple[Fix, ...]:
    """The fix for `while` on a tensor and for `for … in range(t.item())`; () if the loop cannot be carried over.

    Always `unsafe`: eager pays milliseconds for each call.
    """
    try:
        edits = _edits(locate(context))
    except Refused:
        return ()
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def _edits(place: Place) -> tuple[Edit, ...]:
    path = place.path
    for index in range(len(path) - 2, -1, -1):
        node, child = path[index], path[index + 1]
        if isinstance(node, cst.While) and child is node.test:
            return _rewrite(place, node)
        if isinstance(node, cst.For) and child is node.iter:
            return _rewrite(place, node)
        if isinstance(node, cst.BaseStatement):
            break
    raise Refused("the expression is not the head of a loop")


def _rewrite(place: Place, node: cst.While | cst.For) -> tuple[Edit, ...]:
    path = place.upto(node)
    parent = path[-2]
    body = statements(node.body)
    if node.orelse is not None or not isinstance(parent, cst.IndentedBlock) or contains(body, cst.Return):
        raise Refused("the loop can be left in another way")
    builder = Builder(place)
    env = place.inference.before(path)
    after = live_after(path, place.function)
    sure = assigned_before(path, place.function)
    head: Statements = []
    counter, limit = "", ""
    if isinstance(node, cst.For):
        counter, limit, head = _range(place, builder, node, env, after)
    # The test stands before the body and again behind it: what the body writes for the next test is carried.
    tested = names(node.test).reads if isinstance(node, cst.While) else set[str]()
    reads = live_before(body, frozenset(tested)) | tested
    written = names(body).writes
    order = [n for n in in_order(node) if n in written and (n in reads or n in after) and n != counter]
    if not order:
        raise Refused("the loop computes nothing that is used")
    if not set(order) <= sure or not all(isinstance(env.get(n), Tensor) for n in order):
        raise Refused("the loop carries something that is no tensor, or has no value before it")
    if counter in written:
        raise Refused("the loop changes its own counter")
    inner = dict(env)
    if counter:
        inner[counter] = Tensor("int64", SCALAR, frozenset([counter]))
    side = Side(builder, body, inner, node.body.footer if isinstance(node.body, cst.IndentedBlock) else [])
    side.prepare(frozenset(order), sure | ({counter} if counter else set()))
    carried = [cst.Name(n) for n in order]
    side.finish(cst.Tuple([cst.Element(n) for n in carried]))
    _same(side, order, env)
    later = code_after(path, place.function)
    for name in order:
        # With no round at all the name holds what it held before.
        known = env[name]
        if isinstance(known, Tensor) and told_apart(name, known.roots, env, later):
            raise Refused(f"{name} is changed in place later, and would be a copy then")
    names_ = (builder.name("keep_going"), builder.name("step"))
    parameters = [counter, *order] if counter else order
    test = f"{counter} < {limit}" if counter else _test(place, builder, node, env)
    lines = _functions(node, names_, parameters, test, side, counter)
    # What the functions read besides must not share storage with what is carried.
    free = (live_before(side.block, frozenset()) | reads) - set(order)
    outside = {r for n in free if isinstance(known := env.get(n), Tensor) for r in known.roots}
    arguments = passed(order, env, side.block, outside, layout=True)
    if counter:
        arguments.insert(0, f"{place.torch}.zeros_like({limit})")
    closing = "," if len(arguments) == 1 else ""
    call = f"{place.torch}._higher_order_ops.while_loop({names_[0]}, {names_[1]}, ({', '.join(arguments)}{closing}))"
    target = f"({parameters[0]},)" if len(parameters) == 1 else ", ".join(parameters)
    done = [*head, *lines, _line(f"{target} = {call}", [cst.EmptyLine(indent=False)])]
    done[0] = done[0].with_changes(leading_lines=node.leading_lines or [cst.EmptyLine(indent=False)])
    block: list[cst.BaseStatement] = []
    for statement in statements(parent):
        block += done if statement is node else [statement]
    return finished(place, replaced(place.tree, parent, parent.with_changes(body=block)))


def _range(
    place: Place, builder: Builder, node: cst.For, env: Environment, after: frozenset[str]
) -> tuple[str, str, Statements]:
    """The name of the counter, that of the limit, and the statement that makes the limit a tensor."""
    call = node.iter
    if not isinstance(call, cst.Call) or dotted(call.func) != "range" or not isinstance(node.target, cst.Name):
        raise Refused("not a loop over a range")
    args = [a.value for a in call.args if not a.star and a.keyword is None]
    if len(args) == 2 and isinstance(args[0], cst.Integer) and args[0].value == "0":
        args = args[1:]
    if len(args) != 1 or len(call.args) > 2:
        raise Refused("a range with a start or a step")
    bound = args[0]
    counter = node.target.value
    if counter in after:
        raise Refused("the counter is used after the loop")
    if counter == "_":
        counter = builder.name("i")
    value = place.inference.value(bound)
    if isinstance(bound, cst.Call) and isinstance(bound.func, cst.Attribute) and bound.func.attr.value == "item":
        tensor = bound.func.value
        known = place.inference.infer(tensor, env)
        # range() takes integers only, so the tensor holds one.
        if not isinstance(known, Tensor):
            raise Refused("nothing is known of the number of rounds")
        code = place.tree.code(tensor)
        if known.shape != SCALAR:
            code = f"{parenthesised(code)}.reshape(())"
    elif value is not None and all(type(c) is domain.Sym and c.type == "int" for c in domain.choices(value)):
        code = f"{place.torch}.tensor({place.tree.code(bound)})"
    else:
        raise Refused("the number of rounds is not known to be an integer")
    limit = builder.name("rounds")
    return counter, limit, [_line(f"{limit} = {code}", [])]


def _test(place: Place, builder: Builder, node: cst.While | cst.For, env: Environment) -> str:
    assert isinstance(node, cst.While)
    predicate = builder.predicates.translate(node.test, dict(env))
    if predicate.kind != TENSOR or predicate.guard:
        raise Refused("the test is no tensor")
    if not predicate.scalar:
        raise Refused("the test may have dimensions")
    return predicate.code


def _same(side: Side, order: list[str], env: Environment) -> None:
    """Raises Refused unless a round leaves dtypes and shapes as they were."""
    (result,) = side.results
    items = result.items if isinstance(result, Items) else (result,)
    for name, item in zip(order, items, strict=True):
        if not agree(env[name], item, presume=True):
            raise Refused(f"{name} may change its shape from round to round")


def _functions(
    node: cst.While | cst.For, names_: tuple[str, str], parameters: list[str], test: str, side: Side, counter: str
) -> Statements:
    given = cst.Parameters([cst.Param(cst.Name(p)) for p in parameters])
    block = side.block
    if counter:
        block = [*block[:-1], _counted(block[-1], counter)]
    keep = cst.FunctionDef(cst.Name(names_[0]), given, cst.IndentedBlock([_line(f"return {test}", [])]))
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


def _line(code: str, leading: list[cst.EmptyLine]) -> cst.BaseStatement:
    return cst.ensure_type(cst.parse_statement(code), cst.SimpleStatementLine).with_changes(leading_lines=leading)
