"""Branches of a torch.cond that return different things, of which what is done with them makes the same.

`torch.cond(p, f, g, (x,)).sum()` is `torch.cond(p, sum of f, sum of g, (x,))`: what follows the call is done in the
branches instead, as far as it takes until both give one dtype, rank and structure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branch_lowering import BranchLowering
from exportdb_rules.rewrite.branching.branches import Builder
from exportdb_rules.rewrite.higher_order.operator_call import (
    BranchFunction,
    OperatorCall,
    inside,
    operator_call,
    place_of_call,
    swapped,
    where_torch_refuses,
)
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import TensorSignature, agree, leaves
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Swaps, below, dotted, index_of, occurrences, replace_all
from exportdb_rules.torch_api import only_computes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment

TITLE: Final = "Move the operations on the result into both branches"


def use_in_branches(context: FixContext) -> tuple[Fix, ...]:
    """What is done with the result of a torch.cond, done in its branches, where that makes them return alike.

    `safe` where torch refuses the call as it is.
    """
    return make_fix(context, TITLE, where_torch_refuses, _moved, place_of_call)


def _moved(place: FixSite) -> Iterable[Edit]:
    call = operator_call(place, "cond")
    functions = call.known_functions()
    env = place.environment()
    for used in _uses(place, call, functions):
        sides = [_side(place, call, function, env, used.apply) for function in functions]
        results = [result for side in sides for result in side.results]
        if results and all(_alike(results[0], result) for result in results[1:]):
            inner = [swap for side, f in zip(sides, functions, strict=True) for swap in f.with_block(side.block)]
            return _edits(place, call, inner, used)
    raise FixNotApplicable(NoFix.BRANCHES_DIFFER, "the branches would return different results")


def _alike(a: object, b: object) -> bool:
    return isinstance(a, TensorSignature) and isinstance(b, TensorSignature) and agree(a, b)


class _Use:
    """A number of steps that follow the call, each the node around the one before: `.sum()`, `[0]`, `* 2`.

    `old` are the expressions of the text that the steps are part of, each of which becomes what stands below them.
    """

    def __init__(self, tops: Sequence[cst.BaseExpression], base: cst.BaseExpression, steps: int) -> None:
        self.tops = tops
        self.base = base
        self.steps = steps

    def apply(self, value: cst.BaseExpression) -> cst.BaseExpression:
        """What the steps make of another value than the call's."""
        element = _element(value, self.tops[0])
        if element is not None and self.steps == 1:
            return element
        loose = isinstance(value, (cst.BinaryOperation, cst.UnaryOperation, cst.IfExp, cst.Comparison, cst.Tuple))
        if loose and not value.lpar:
            value = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        top = self.tops[0]
        if element is not None:
            first = next(n for n in below(top, cst.Subscript) if n.value is self.base)
            return replace_all(top, [(first, element)])
        return replace_all(top, [(self.base, value)])


def _element(value: cst.BaseExpression, top: cst.BaseExpression) -> cst.BaseExpression | None:
    """The element of a written tuple that an index right behind the call picks, where the others may be left out."""
    inner = top
    while True:
        below_it = _below(inner)
        if below_it is None:
            return None
        if isinstance(inner, cst.Subscript) and _below(below_it) is None:
            break
        inner = below_it
    index = index_of(inner)
    if not isinstance(value, cst.Tuple) or index is None or not -len(value.elements) <= index < len(value.elements):
        return None
    chosen = value.elements[index].value
    if any(isinstance(e, cst.StarredElement) for e in value.elements):
        return None
    return chosen if all(_plain(e.value) for e in value.elements if e.value is not chosen) else None


def _plain(node: cst.BaseExpression) -> bool:
    """Whether an expression only computes: no random numbers, no state, nothing in place."""
    return all(
        isinstance(call.func, cst.Attribute) and only_computes(call.func.attr.value) for call in below(node, cst.Call)
    ) and not any(True for _ in below(node, cst.NamedExpr))


def _below(node: cst.CSTNode) -> cst.BaseExpression | None:
    """What a step is done with; None for no step."""
    if isinstance(node, cst.Subscript):
        return node.value
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return node.func.value
    if isinstance(node, cst.BinaryOperation):
        return node.right if isinstance(node.left, (cst.Integer, cst.Float)) else node.left
    return None


def _uses(place: FixSite, call: OperatorCall, functions: Sequence[BranchFunction]) -> Iterable[_Use]:
    """What follows the call, one step more each time."""
    bound = {n for f in functions for n in {*f.parameters, *names(f.block).writes}}
    path = place.path
    parent = path[-2]
    if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
        target = parent.targets[0].target
        if not isinstance(target, cst.Name):
            return
        uses = occurrences(place.function.body, target.value)
        reads = [use for use in uses if not isinstance(use[-2], cst.AssignTarget)]
        if len(uses) != len(reads) + 1 or not reads:
            return
        chains = [_chain(use, bound) for use in reads]
        for steps in range(1, min(map(len, chains)) + 1):
            tops = [chain[steps - 1] for chain in chains]
            if len({place.tree.code(top) for top in tops}) != 1:
                return
            base = reads[0][-1]
            assert isinstance(base, cst.BaseExpression)
            yield _Use(tops, base, steps)
        return
    chain = _chain(path, bound)
    for steps in range(1, len(chain) + 1):
        yield _Use([chain[steps - 1]], call.node, steps)


def _chain(path: Sequence[cst.CSTNode], bound: set[str]) -> list[cst.BaseExpression]:
    """The steps around the last node of a path, from the innermost: what they use besides it means the same in the
    branches."""
    found: list[cst.BaseExpression] = []
    node = path[-1]
    for parent in reversed(path[:-1]):
        if isinstance(parent, cst.Attribute) and parent.value is node:
            node = parent
            continue
        if isinstance(parent, cst.Call) and parent.func is node and isinstance(node, cst.Attribute):
            rest: list[cst.CSTNode] = [*parent.args]
            if node.attr.value.endswith("_") or node.attr.value in ("backward", "register_hook", "item", "tolist"):
                break
        elif isinstance(parent, cst.Subscript) and parent.value is node and not isinstance(node, cst.Attribute):
            rest = [*parent.slice]
        elif isinstance(parent, cst.BinaryOperation):
            other = parent.right if parent.left is node else parent.left
            if not isinstance(other, (cst.Integer, cst.Float)) or isinstance(node, cst.Attribute):
                break
            rest = []
        else:
            break
        used = names(rest)
        if used.writes or used.reads & bound or any(True for part in rest for _ in below(part, cst.Call)):
            break
        found.append(parent)
        node = parent
    return found


def _side(
    place: FixSite,
    call: OperatorCall,
    function: BranchFunction,
    env: Environment,
    change: Callable[[cst.BaseExpression], cst.BaseExpression],
) -> BranchLowering:
    """A branch function that returns what the steps make of its result."""
    returned = [value for value in function.returned if value is not None]
    swaps = [(value, change(value)) for value in returned]
    block = [replace_all(statement, swaps) for statement in function.block]
    side = BranchLowering(Builder(place), block, inside(place, call, function, env), [])
    side.finish(None)
    if len(side.results) != len(returned) or not returned:
        raise FixNotApplicable(NoFix.BRANCHES_DIFFER, "a branch may return nothing")
    if not all(isinstance(leaf, TensorSignature) for result in side.results for leaf in leaves(result)):
        raise FixNotApplicable(NoFix.NOT_A_TENSOR, "a branch returns something that is not a tensor")
    return side


def _edits(place: FixSite, call: OperatorCall, inner: Swaps, used: _Use) -> tuple[Edit, ...]:
    new = replace_all(call.node, inner)
    if used.base is call.node:
        swaps = [*inner, (used.tops[0], new.with_changes(lpar=used.tops[0].lpar, rpar=used.tops[0].rpar))]
    else:
        name = dotted(used.base)
        swaps = [*inner, (call.node, new), *[(top, cst.Name(name, lpar=top.lpar, rpar=top.rpar)) for top in used.tops]]
    return swapped(place, swaps)
