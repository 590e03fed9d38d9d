"""A branch on a tensor as `torch.cond`.

Measured on torch 2.13, in both modes: a branch may close over tensors, `self` and submodules; what it returns must
have one tree, dtype, shape and layout on both sides and share no storage with an operand, a closure or another
output; two operands must not share storage either. `torch.cond` compiles its branches in eager too, so what it
refuses under export it refuses in eager: a rewrite that breaks a rule breaks the user's program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branches import Builder
from exportdb_rules.rewrite.branching.container_writes import given_behind
from exportdb_rules.rewrite.branching.number_outputs import (
    numbers_as_tensors,
    numbers_as_they_are_or_tensors,
    with_swaps,
)
from exportdb_rules.rewrite.branching.ternary import ternary
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, always_computed, locate, shared
from exportdb_rules.rewrite.interface.eager_only import messages_apart
from exportdb_rules.rewrite.known.liveness import (
    arms,
    assigned_before,
    code_after,
    contains,
    followed_by,
    live_out,
    never_falls_through,
    returns,
)
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import INTEGERS, SCALAR, TensorSignature
from exportdb_rules.rewrite.looping.continues import folded
from exportdb_rules.rewrite.looping.loop_heads import is_scalar, with_indices
from exportdb_rules.rewrite.outline import rewritten
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, replace_all, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.inference import Environment

TITLE: Final = "Rewrite as torch.cond (milliseconds per call in eager)"


def branch_to_cond(context: FixContext, *, sizes: bool = False) -> tuple[Fix, ...]:
    """The fix for an `if` or a conditional expression that tests a tensor or an unbacked value; () if none is right.

    With `sizes` the sizes of inputs count as well: tracing can decide by them, and would keep one side.

    Always `unsafe`: eager pays milliseconds for each call, and a side whose strides differ raises.
    """

    def edits(numbers: bool) -> tuple[Edit, ...]:
        place = locate(context, elements=True)
        place.inference.sizes = sizes
        return _edits(place, numbers=numbers)

    found = numbers_as_they_are_or_tensors(edits)
    return (Fix(TITLE, Applicability.UNSAFE, found, preferred=True),) if found else ()


def _edits(place: FixSite, *, numbers: bool) -> tuple[Edit, ...]:
    branch = place.branch()
    if isinstance(branch, cst.If):
        return _statement(place, branch, numbers=numbers)
    if numbers:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a statement")
    try:
        return ternary(place, branch)
    except FixNotApplicable:
        return _of_line(place, branch)


def _statement(place: FixSite, node: cst.If, *, numbers: bool) -> tuple[Edit, ...]:
    builder = Builder(place)
    path = place.upto(node)
    chain = node
    # An `elif` is rewritten with the whole of its chain, from the first test that needs data.
    while len(path) > 1 and isinstance(path[-2], cst.If) and path[-2].orelse is path[-1]:
        path = path[:-1]
        outer = cast("cst.If", path[-1])
        if builder.predicates.decides(outer.test, place.inference.before(path)):
            chain = outer
    return shared(
        place,
        chain,
        f"cond, numbers: {numbers}, sizes: {place.inference.sizes}",
        lambda: _rewritten(place, builder, place.upto(chain), chain, numbers=numbers),
    )


def _of_line(place: FixSite, node: cst.IfExp) -> tuple[Edit, ...]:
    """The line around a conditional expression, once for each side of it."""
    line = place.statement()
    if not isinstance(line, cst.SimpleStatementLine) or not always_computed(place, within=node):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the expression is not computed whenever the line runs")
    if any(True for _ in below(line, cst.NamedExpr)) or side_effects(list(below(line, cst.Call))).names:
        # The test comes first then.
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the line changes what the condition may read")
    builder = Builder(place)
    one, two = [cst.IndentedBlock([_with_side(place, line, node, side)]) for side in (node.body, node.orelse)]
    chain = cst.If(node.test, one, cst.Else(two), leading_lines=line.leading_lines)
    return _rewritten(place, builder, place.upto(line), chain, numbers=False)


def _with_side(
    place: FixSite, line: cst.SimpleStatementLine, chosen: cst.IfExp, side: cst.BaseExpression
) -> cst.SimpleStatementLine:
    """The line with one side of a conditional expression in its place."""
    origin = place.inference.origin

    class Chosen(cst.CSTTransformer):
        def visit_IfExp(self, node: cst.IfExp) -> bool:
            return node is not chosen

        def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
            if original_node is chosen:
                return side
            if updated_node is not original_node:
                origin[updated_node] = origin.get(original_node, original_node)
            return updated_node

    done = cst.ensure_type(line.visit(Chosen()), cst.SimpleStatementLine)
    return done.with_changes(leading_lines=[])


def _rewritten(
    place: FixSite, builder: Builder, path: tuple[cst.CSTNode, ...], chain: cst.If, *, numbers: bool
) -> tuple[Edit, ...]:
    """The edits that put what a branch becomes in the place of the last node of a path: the branch, or what it stands for."""
    if any(isinstance(n, (cst.Try, cst.TryStar)) for n in path[path.index(place.function) :]):
        raise FixNotApplicable(NoFix.INSIDE_TRY, "inside a try statement")
    parent, old = path[-2], cast("cst.BaseStatement", path[-1])
    body = statements(parent) if isinstance(parent, cst.IndentedBlock) else [old]
    at = body.index(old)
    end = path
    if contains([chain], cst.Continue):
        if not isinstance(path[-3], (cst.For, cst.While)) or contains([chain], cst.Break, cst.Return):
            raise FixNotApplicable(NoFix.OTHER_EXIT, "a nested statement ends the iteration")
        end = (*path[:-1], body[-1])
        chain, body = folded(chain, body[at + 1 :]), body[: at + 1]
    swaps = numbers_as_tensors(place, path, chain) if numbers else []
    if numbers and not swaps:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no number is a tensor from the start")
    env = place.inference.before(path)
    live = live_out(end, place.function)
    builder.after = code_after(end, place.function)
    if swaps:
        builder.after = [replace_all(node, swaps) for node in builder.after]
        chain = with_swaps(chain, swaps, place.inference)
    chain, told = messages_apart(place, chain) if isinstance(parent, cst.IndentedBlock) else (chain, [])
    counters = _indices(place, chain, env)
    chain = _indexed(place, chain, counters)
    assigned = assigned_before(path, place.function)
    if isinstance(parent, cst.If):
        done, _ = builder.convert(chain, [], live, env, assigned)
        header = cst.Else(cst.IndentedBlock(done), leading_lines=chain.leading_lines)
        new: cst.CSTNode = parent.with_changes(orelse=header)
    else:
        block = cast("cst.IndentedBlock", parent)
        rest = followed_by(end, place.function)
        falls = False
        if block is place.function.body and _procedure(place.function) and not never_falls_through(rest):
            # Whoever runs off the end of a function returns None.
            rest.append(cst.SimpleStatementLine([cst.Return(None)]))
            falls = True
        chain, behind, bound = given_behind(place, chain)
        done, took_rest = builder.convert(chain, [*behind, *rest], live | bound, env, assigned)
        if falls and took_rest:
            done = done[:-1] if _bare_return(done[-1]) else done
        if at and not chain.leading_lines:
            done[0] = done[0].with_changes(leading_lines=[cst.EmptyLine(indent=False)])
        new = block.with_changes(body=[*body[:at], *told, *done, *([] if took_rest else [*behind, *body[at + 1 :]])])
    return validated_edits(place, rewritten(place.tree, [*swaps, (parent, replace_all(new, swaps))]))


def _indices(place: FixSite, chain: cst.If, env: Environment) -> frozenset[str]:
    """The names of integer tensors without dimensions that a branch may index by: torch.cond reads them as numbers there,
    and fails in eager (measured on torch 2.13)."""
    inside = dict(env)
    for side in arms(chain):
        place.inference.run(side, inside)
    known = frozenset(
        name
        for names_ in (env, inside)
        for name, one in names_.items()
        if isinstance(one, TensorSignature) and one.shape == SCALAR and one.dtype in INTEGERS
    )
    indices = [name for side in arms(chain) for s in side for i in below(s, cst.Index) for name in below(i, cst.Name)]
    return known | {name.value for name in indices if is_scalar(place, name, env)}


def _indexed(place: FixSite, chain: cst.If, counters: frozenset[str]) -> cst.If:
    """The branch with such indices as rows of one number."""
    if not any(names(index).reads & counters for index in below(chain, cst.Index)):
        return chain
    if not isinstance(chain.body, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a branch on one line")
    inside = with_indices(statements(chain.body), counters, place)
    done = chain.with_changes(body=chain.body.with_changes(body=inside))
    bare = chain.test.expression if isinstance(chain.test, cst.UnaryOperation) else chain.test
    if isinstance(bare, cst.Subscript):
        # As a predicate a view must not begin where data says.
        (only,) = with_indices([cst.SimpleStatementLine([cst.Expr(chain.test)])], counters, place)
        test = cst.ensure_type(cst.ensure_type(only, cst.SimpleStatementLine).body[0], cst.Expr).value
        done = done.with_changes(test=test)
    if isinstance(chain.orelse, cst.If):
        done = done.with_changes(orelse=_indexed(place, chain.orelse, counters))
    elif chain.orelse is not None and isinstance(chain.orelse.body, cst.IndentedBlock):
        block = with_indices(statements(chain.orelse.body), counters, place)
        done = done.with_changes(orelse=chain.orelse.with_changes(body=chain.orelse.body.with_changes(body=block)))
    place.inference.origin[done] = place.inference.origin.get(chain, chain)
    return done


def _procedure(function: cst.FunctionDef) -> bool:
    """Whether a function returns, and never a value."""
    found = returns(statements(function.body))
    return bool(found) and all(one.value is None for one in found)


def _bare_return(node: cst.BaseStatement) -> bool:
    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return False
    only = node.body[0]
    return isinstance(only, cst.Return) and only.value is None
