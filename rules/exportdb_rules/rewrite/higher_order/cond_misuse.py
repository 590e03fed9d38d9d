"""Calls of torch.cond and while_loop that torch refuses, as calls that it takes.

Measured on torch 2.13, in eager and under export alike: outputs may share no storage with what goes in, nor be Python
numbers or None; operands are tensors; both results lie alike in memory; a function writes nothing that was there
before; a function that only raises has no result. What such code means is plain all the same: the `if` or the `while`
that it was written for. The rewrites keep that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branch_lowering import BranchLowering, calling
from exportdb_rules.rewrite.branching.branches import Builder
from exportdb_rules.rewrite.branching.check_messages import raised
from exportdb_rules.rewrite.branching.condition import TENSOR
from exportdb_rules.rewrite.branching.predicate import Predicates
from exportdb_rules.rewrite.higher_order.operator_call import (
    BranchFunction,
    OperatorCall,
    inside,
    operator_call,
    place_of_call,
    swapped,
    where_torch_refuses,
)
from exportdb_rules.rewrite.known.liveness import live_out
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import Number, TensorSignature, leaves
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Swaps, below, dotted, index_of, occurrences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment

CLONE: Final = "Return a `.clone()` from the branch"
CLONE_CARRIED: Final = "Return a `.clone()` from the loop body"
CONTIGUOUS: Final = "Return a `.contiguous()` from both branches"
CLOSURE: Final = "Let the branches close over the operand"
WHERE: Final = "Select the number with torch.where"
CHECK: Final = "Replace the raising branch with torch._assert_async"
COPY: Final = "Write to a copy"


def alias_to_clone(context: FixContext, operator: str = "cond") -> tuple[Fix, ...]:
    """`.clone()` where a branch, or the body of a loop, hands out a tensor that it was given.

    `safe` in a loop: torch refuses the call as it is, so no result can change. A branch may hand out what it was given
    where no gradient is wanted: `unsafe`.
    """
    title = CLONE if operator == "cond" else CLONE_CARRIED
    applicability = Applicability.UNSAFE if operator == "cond" else Applicability.SAFE
    return make_fix(context, title, applicability, lambda place: _cloned(place, operator), place_of_call)


def _cloned(place: FixSite, operator: str) -> Iterable[Edit]:
    call = operator_call(place, operator)
    env = place.environment()
    builder = Builder(place)
    swaps: Swaps = []
    for index, function in enumerate(call.functions):
        if operator == "while_loop" and index == 0:
            continue  # the test gives a truth value of its own
        if function is None:
            if operator == "while_loop":
                raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the body is elsewhere")
            swaps.append(_wrapped(place, call, call.arguments[1 + index]))
            continue
        side = BranchLowering(builder, function.block, inside(place, call, function, env), [])
        side.finish(None)
        swaps += function.with_block(side.block)
    return swapped(place, swaps)


def _wrapped(place: FixSite, call: OperatorCall, argument: cst.Arg) -> tuple[cst.CSTNode, cst.CSTNode]:
    """A function whose code is elsewhere, as a lambda that copies what it returns."""
    result = place.inference.infer(call.node, place.environment())
    if not isinstance(result, TensorSignature):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what the function returns")
    given = [o.value if isinstance(o, cst.Name) else f"operand_{i}" for i, o in enumerate(call.operands)]
    if len(set(given)) != len(given):
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "one operand is given twice")
    code = place.tree.code(argument.value)
    head = f"lambda {', '.join(given)}" if given else "lambda"
    return argument.value, cst.parse_expression(f"{head}: {code}({', '.join(given)}).clone()")


def strides_to_contiguous(context: FixContext) -> tuple[Fix, ...]:
    """`.contiguous()` on both results where they lie differently in memory. `safe` where torch refuses the call as it is."""
    return make_fix(context, CONTIGUOUS, where_torch_refuses, _contiguous, place_of_call)


def _contiguous(place: FixSite) -> Iterable[Edit]:
    call = operator_call(place, "cond")
    swaps: Swaps = []
    for function in call.functions:
        returned = _returns(function)
        if not returned or any(isinstance(value, (cst.Tuple, cst.List, cst.Dict)) for value in returned):
            raise FixNotApplicable(NoFix.NOT_A_TENSOR, "the branches return more than a tensor")
        for value in returned:
            last = value.func if isinstance(value, cst.Call) else None
            if not (isinstance(last, cst.Attribute) and last.attr.value == "contiguous"):
                swaps.append((value, calling(value, "contiguous()")))
    return swapped(place, swaps)


def operand_to_closure(context: FixContext) -> tuple[Fix, ...]:
    """Numbers and None among the operands, as what the branches close over. `safe` where torch refuses the call."""
    return make_fix(context, CLOSURE, where_torch_refuses, _closed, place_of_call)


def _closed(place: FixSite) -> Iterable[Edit]:
    call = operator_call(place, "cond")
    env = place.environment()
    kept = [index for index, operand in enumerate(call.operands) if not _plain(place, operand, env)]
    if len(kept) == len(call.operands) or call.given is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "all operands are tensors")
    swaps: Swaps = []
    for function in call.functions:
        if function is None or len(function.parameters) != len(call.operands):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a function whose parameters cannot be changed")
        values = {name: call.operands[index] for index, name in enumerate(function.parameters) if index not in kept}
        swaps.append((function.node, _closing(place, function, kept, values)))
    elements = [cst.Element(call.operands[index]) for index in kept]
    if isinstance(call.given.value, cst.List):
        given: cst.BaseExpression = call.given.value.with_changes(elements=elements)
    else:
        if len(elements) == 1:
            elements = [elements[0].with_changes(comma=cst.Comma())]
        given = cst.Tuple(elements)
    swaps.append((call.given.value, given))
    return swapped(place, swaps)


def _plain(place: FixSite, operand: cst.BaseExpression, env: Environment) -> bool:
    """Whether an operand is a number, None or text: nothing that torch takes."""
    if isinstance(place.inference.infer(operand, dict(env)), Number) or dotted(operand) == "None":
        return True
    known = place.inference.value(operand)
    if known is None:
        return isinstance(operand, (cst.Integer, cst.Float, cst.SimpleString))
    kinds = lattice.choices(known)
    return any(lattice.is_none(c) for c in kinds) or all(
        isinstance(c, domain.Const) or (isinstance(c, domain.Static) and c.type in ("int", "float", "bool", "str"))
        for c in kinds
    )


def _closing(
    place: FixSite, function: BranchFunction, kept: list[int], values: dict[str, cst.BaseExpression]
) -> cst.CSTNode:
    """The function without the parameters, each replaced in its code by what was passed for it."""
    own = names(function.block)
    for name, value in values.items():
        if name in own.writes:
            raise FixNotApplicable(NoFix.NAME_CLASH, "the function rebinds the name")
        used = names(value)
        if used.writes or (used.reads - {name}) & (set(function.parameters) | own.writes):
            raise FixNotApplicable(
                NoFix.NAME_CLASH, "the function has names of its own that hide what it would close over"
            )
        if not isinstance(value, (cst.Name, cst.Integer, cst.Float, cst.SimpleString)) and not dotted(value):
            raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the operand is computed")

    class Substitute(cst.CSTTransformer):
        def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
            value = values.get(original_node.value)
            return updated_node if value is None or dotted(value) == original_node.value else value.deep_clone()

        def visit_Attribute_attr(self, node: cst.Attribute) -> None:
            return None

        def visit_Attribute(self, node: cst.Attribute) -> bool:
            return not (isinstance(node.value, cst.Name) and node.value.value not in values)

        def visit_Param(self, node: cst.Param) -> bool:
            return False

        def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
            return updated_node.with_changes(attr=original_node.attr)

        def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
            return updated_node.with_changes(keyword=original_node.keyword)

    node = function.node
    left = [p for index, p in enumerate([*node.params.posonly_params, *node.params.params]) if index in kept]
    params = node.params.with_changes(
        posonly_params=[], params=[p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in left]
    )
    body = node.body.visit(Substitute())
    changed = node.with_changes(params=params, body=body)
    if isinstance(changed, cst.Lambda) and not left:
        changed = changed.with_changes(whitespace_after_lambda=cst.MaybeSentinel.DEFAULT)
    return changed


def number_to_where(context: FixContext) -> tuple[Fix, ...]:
    """Branches that return Python numbers, as `torch.where` between the numbers.

    `unsafe`: the number is a tensor without dimensions now, where torch refused the call before.
    """
    return make_fix(context, WHERE, Applicability.UNSAFE, _chosen, place_of_call)


def _chosen(place: FixSite) -> Iterable[Edit]:
    call = operator_call(place, "cond")
    env = place.environment()
    predicate = Predicates(place.inference, place.torch).translate(call.predicate, dict(env))
    if predicate.kind != TENSOR or predicate.guard or not predicate.scalar:
        raise FixNotApplicable(NoFix.NOT_A_SCALAR, "the predicate may be more than a scalar")
    codes: list[str] = []
    floats: set[bool] = set()
    for function in call.functions:
        returned = _returns(function)
        if len(returned) != 1 or (function is not None and len(function.block) != 1):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a branch does more than to return a number")
        known = place.inference.infer(returned[0], dict(env))
        if not isinstance(known, Number) or (
            function is not None and names(returned[0]).reads & {*function.parameters}
        ):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a branch returns no number")
        floats.add(known.floating)
        codes.append(place.tree.code(returned[0]))
    if len(floats) != 1:
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "numbers of different kinds")
    span = place.tree.span(call.node)
    assert span is not None
    return (Edit(span, f"{place.torch}.where({predicate.code}, {', '.join(codes)})"),)


def raise_to_check(context: FixContext) -> tuple[Fix, ...]:
    """A branch that only raises, as a check before the other one. `unsafe`: the exception becomes a RuntimeError."""
    return make_fix(context, CHECK, Applicability.UNSAFE, _checked, place_of_call)


def _checked(place: FixSite) -> Iterable[Edit]:
    call = operator_call(place, "cond")
    raising = [f is not None and _only_raises(f) for f in call.functions]
    if raising.count(True) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not one branch that only raises")
    index = raising.index(True)
    refusing, other = call.functions[index], call.functions[1 - index]
    assert refusing is not None
    statement = place.statement()
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        raise FixNotApplicable(NoFix.SHARED_LINE, "several statements on one line")
    env = place.environment()
    test: cst.BaseExpression = call.predicate
    if index == 0:
        test = cst.UnaryOperation(cst.Not(), test)
    condition = Predicates(place.inference, place.torch).translate(test, dict(env))
    if condition.kind != TENSOR or condition.guard:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the predicate is not a tensor")
    message = raised(place, _exception(refusing))
    check = f"{place.torch}._assert_async({condition.code}{'' if message is None else f', {message}'})"
    line = cst.ensure_type(cst.parse_statement(check), cst.SimpleStatementLine)
    path = place.upto(statement)
    block = path[-2]
    if not isinstance(block, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.SHARED_LINE, "the statement is not in a block")
    # The call goes, and with it the only use of the function that raises.
    direct = _direct(place, call, other, call.arguments[2 - index].value)
    body: list[cst.BaseStatement] = []
    for one in block.body:
        if one is refusing.node:
            continue
        if one is statement:
            changed = cast("cst.SimpleStatementLine", statement.deep_replace(call.node, direct))
            body += [line.with_changes(leading_lines=statement.leading_lines), changed.with_changes(leading_lines=[])]
        else:
            body.append(one)
    if isinstance(refusing.node, cst.FunctionDef) and len(body) != len(block.body):
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the function that raises is defined in another block")
    return swapped(place, [(block, block.with_changes(body=body))])


def _direct(
    place: FixSite, call: OperatorCall, function: BranchFunction | None, named: cst.BaseExpression
) -> cst.BaseExpression:
    """The other branch, run where the operator was called."""
    if function is not None and isinstance(function.node, cst.Lambda):
        same = all(
            isinstance(o, cst.Name) and o.value == p for o, p in zip(call.operands, function.parameters, strict=False)
        )
        if same and len(call.operands) == len(function.parameters):
            body = function.node.body
            loose = isinstance(body, (cst.BinaryOperation, cst.UnaryOperation, cst.IfExp, cst.Comparison))
            return body.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]) if loose else body
        named = named.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.Call(named, [cst.Arg(operand) for operand in call.operands])


def _only_raises(function: BranchFunction) -> bool:
    block = function.block
    if len(block) != 1 or not isinstance(line := block[0], cst.SimpleStatementLine) or len(line.body) != 1:
        return False
    only = line.body[0]
    return isinstance(only, cst.Raise) and only.exc is not None and only.cause is None


def _exception(function: BranchFunction) -> cst.BaseExpression:
    line = cst.ensure_type(function.block[0], cst.SimpleStatementLine)
    value = cst.ensure_type(line.body[0], cst.Raise).exc
    assert value is not None
    return value


def write_to_copy(context: FixContext, operator: str) -> tuple[Fix, ...]:
    """A function of a call ('cond' | 'while_loop') that writes an operand in place, which nobody sees afterwards, writes to a copy of it.

    `safe` where torch refuses the call as it is.
    """
    applicability = where_torch_refuses if operator == "cond" else Applicability.SAFE
    return make_fix(context, COPY, applicability, lambda place: _copied(place, operator), place_of_call)


def _copied(place: FixSite, operator: str) -> Iterable[Edit]:
    call = operator_call(place, operator)
    env = place.environment()
    swaps: Swaps = []
    for function in call.known_functions():
        changed = side_effects(function.block)
        if changed.unsupported:
            raise FixNotApplicable(NoFix.SIDE_EFFECT, changed.unsupported)
        if len(function.parameters) != len(call.operands):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the function does not take the operands")
        written = [name for name in function.parameters if name in changed.names]
        if not changed.names <= {*written, *names(function.block).writes}:
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "more than an operand is written")
        for name in written:
            _refuse_seen(place, call, function, call.operands[function.parameters.index(name)], env)
        if not written:
            continue
        if operator == "while_loop" and function is call.functions[0]:
            raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the body sees what the condition writes")
        if not isinstance(function.node, cst.FunctionDef):
            raise FixNotApplicable(NoFix.SHARED_LINE, "a lambda has no statements")
        lines = [
            cst.ensure_type(cst.parse_statement(f"{name} = {name}.clone()"), cst.SimpleStatementLine)
            for name in written
        ]
        swaps += function.with_block([*lines, *function.block])
    return swapped(place, swaps)


def _refuse_seen(
    place: FixSite, call: OperatorCall, function: BranchFunction, operand: cst.BaseExpression, env: Environment
) -> None:
    """Raises FixNotApplicable where somebody could see that a function writes an operand."""
    known = place.inference.infer(operand, dict(env))
    if (
        not isinstance(known, TensorSignature)
        or not known.storages
        or not all(r.startswith("#") for r in known.storages)
    ):
        raise FixNotApplicable(NoFix.RESULT_USED, "the operand is used elsewhere too")
    closed_over = names(function.block).reads - set(function.parameters)
    others = [o for o in call.operands if o is not operand] + [cst.Name(name) for name in sorted(closed_over)]
    for expression in others:
        other = place.inference.infer(expression, dict(env))
        if any(isinstance(leaf, TensorSignature) and leaf.storages & known.storages for leaf in leaves(other)):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "the function has the operand under another name too")
    statement = place.statement()
    assert statement is not None
    live = live_out(place.upto(statement), place.function)
    if isinstance(statement, cst.SimpleStatementLine):
        # What the line binds anew holds the result from then on.
        live = live - names(statement).writes
    # What stands around the call in its line may run behind it.
    inside_call = [*below(call.node, cst.Name)]
    live |= {n.value for n in below(_value(statement), cst.Name) if not any(n is other for other in inside_call)}
    for name, other in env.items():
        if name in live and any(
            isinstance(leaf, TensorSignature) and leaf.storages & known.storages for leaf in leaves(other)
        ):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, f"{name} is read later")


def _value(statement: cst.CSTNode) -> cst.CSTNode:
    """What a line computes: for an assignment, without its targets."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else statement
    return small.value if isinstance(small, cst.Assign) else small


def none_left_out(context: FixContext) -> tuple[Fix, ...]:
    """A None that both branches return last, in a tuple of which only other elements are read. `safe` where torch refuses
    the call as it is."""
    return make_fix(context, "Remove None from the branch outputs", where_torch_refuses, _without_none, place_of_call)


def _without_none(place: FixSite) -> Iterable[Edit]:
    call = operator_call(place, "cond")
    swaps: Swaps = []
    lengths: set[int] = set()
    for function in call.functions:
        returned = _returns(function)
        for value in returned:
            if (
                not isinstance(value, cst.Tuple)
                or len(value.elements) < 2
                or dotted(value.elements[-1].value) != "None"
            ):
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the branches do not return None last")
            left = [e.with_changes(comma=cst.MaybeSentinel.DEFAULT) for e in value.elements[:-1]]
            if len(left) == 1:
                left = [cst.Element(left[0].value, comma=cst.Comma())]
            lengths.add(len(left))
            swaps.append((value, value.with_changes(elements=left)))
        if not returned:
            raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the code of a branch is elsewhere")
    if len(lengths) != 1 or not _subscripted_below(place, call, lengths.pop()):
        raise FixNotApplicable(NoFix.MAY_BE_NONE, "the None may be read")
    return swapped(place, swaps)


def _subscripted_below(place: FixSite, call: OperatorCall, length: int) -> bool:
    """Whether the result is only ever read by indices below a length."""
    path = place.path
    parent = path[-2]
    if isinstance(parent, cst.Subscript):
        return index_of(parent) in range(length)
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
        return False
    target = parent.targets[0].target
    if not isinstance(target, cst.Name):
        return False
    uses = [p for p in occurrences(place.function.body, target.value) if not isinstance(p[-2], cst.AssignTarget)]
    return bool(uses) and all(isinstance(p[-2], cst.Subscript) and index_of(p[-2]) in range(length) for p in uses)


def _returns(function: BranchFunction | None) -> list[cst.BaseExpression]:
    """The expressions that a function returns; none if it may return nothing, or its code is elsewhere."""
    returned = [] if function is None else function.returned
    return [] if None in returned else [value for value in returned if value is not None]
