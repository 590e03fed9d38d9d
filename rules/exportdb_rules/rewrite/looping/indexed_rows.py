"""Loops over `mask.nonzero()` that add up what stands there, as one sum.

`for i in mask.nonzero(): total = total + x[i[0], i[1]]` adds up `x[rows[:, 0], rows[:, 1]]`. Measured on torch 2.13, in
both modes, with static and dynamic sizes: indexing with a number of indices that depends on data exports, and so do sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.no_fix import NoFix
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.branching.selection import only_statement
from exportdb_rules.rewrite.fix_site import new_name
from exportdb_rules.rewrite.known.mutation import is_unaliased
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import SCALAR, Number, TensorSignature, floating
from exportdb_rules.rewrite.looping.loop_heads import enclosing_loop
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, integer, occurrences, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Replace the loop with one indexed operation"
_ARITHMETIC: Final = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)


def sum_of_rows(context: FixContext) -> tuple[Fix, ...]:
    """A loop over indices that adds up what stands there, without the loop. `unsafe`: the sum is rounded in another way."""
    return make_fix(context, TITLE, Applicability.UNSAFE, _summed)


def _summed(place: FixSite) -> Iterable[Edit]:
    loop = enclosing_loop(place)
    only = only_statement(statements(loop.body)) if isinstance(loop, cst.For) and loop.orelse is None else None
    if not isinstance(loop, cst.For) or not isinstance(loop.target, cst.Name) or not _marked(place, loop.iter):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a loop over the indices of a mask")
    in_place = isinstance(only, cst.AugAssign)
    if isinstance(only, cst.AugAssign) and isinstance(only.operator, cst.AddAssign):
        target, added = only.target, only.value
    elif isinstance(only, cst.Assign) and isinstance(only.value, cst.BinaryOperation):
        target, added = only.targets[0].target, only.value.right
        if len(only.targets) != 1 or not isinstance(only.value.operator, cst.Add) or not only.value.left.deep_equals(target):  # fmt: skip
            raise FixNotApplicable(NoFix.LOOP_CARRIED, "what is carried is not added to")
    else:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a statement that does something else")
    if "#" in place.tree.code(loop):
        raise FixNotApplicable(NoFix.SHARED_LINE, "comments would be lost")
    env = place.inference.before(place.upto(loop))
    known = env.get(dotted(target))
    if not isinstance(known, TensorSignature) or not floating(known.dtype) or dotted(target) in names(added).reads:
        raise FixNotApplicable(NoFix.NOT_A_TENSOR, "what is added to is not a tensor, or is read")
    if in_place and not is_unaliased(dotted(target), env, [place.function.body]):
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "somebody else may see what is added in place")
    uses = occurrences(place.function.body, loop.target.value)
    if len(uses) - 1 != len(occurrences(loop.body, loop.target.value)):
        raise FixNotApplicable(
            NoFix.LOOP_NAME_USED_LATER, "a name that the last iteration binds is used after the loop"
        )
    inside = place.inference.before((*place.upto(loop), loop.body, statements(loop.body)[0]))
    total = place.inference.arithmetic(known, place.inference.infer(added, dict(inside)))
    if not isinstance(total, TensorSignature) or total.dtype not in (None, known.dtype):
        raise FixNotApplicable(NoFix.LOOP_CARRIED, "what is added to gets another dtype in the first iteration")
    batch = _Batch(place, loop)
    code = batch.value(added)
    if not batch.picked or known.shape != SCALAR:
        raise FixNotApplicable(NoFix.LOOP_CARRIED, "what is added to grows, or the same is added in every iteration")
    span = place.tree.span(loop)
    assert span is not None
    indent = "\n" + " " * (span.start.column - 1)
    name = dotted(target)
    line = f"{name} {'+=' if in_place else f'= {name} +'} ({code}).sum(0)"
    if isinstance(added, cst.Subscript):
        line = line.replace(f"({code})", code)
    return (Edit(span, f"{batch.rows} = {place.tree.code(loop.iter)}{indent}{line}"),)


class _Batch:
    """Expressions of elements that an index of each round picks, for all rounds. `rows` names the indices."""

    def __init__(self, place: FixSite, loop: cst.For) -> None:
        self._place, self._loop = place, loop
        self._env = place.inference.before(place.upto(loop))
        self.rows = new_name(place, "rows")
        self.picked = False

    def value(self, node: cst.BaseExpression) -> str:
        """The code of an expression for all rounds at once.

        Raises:
            FixNotApplicable: it may do more than to compute with one element of each round.
        """
        code = self._plain(node)
        return f"({code})" if node.lpar else code

    def _plain(self, node: cst.BaseExpression) -> str:
        if isinstance(node, cst.Subscript):
            return self._element(node)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _ARITHMETIC):
            return f"{self.value(node.left)}{self._place.tree.code(node.operator)}{self.value(node.right)}"
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
            return f"-{self.value(node.expression)}"
        if isinstance(node, cst.Call) and len(node.args) == 1 and dotted(node.func).startswith(f"{self._place.torch}."):
            row = operator(dotted(node.func).rpartition(".")[2])
            if row.fresh and row.each and node.args[0].keyword is None and not node.args[0].star:
                return f"{dotted(node.func)}({self.value(node.args[0].value)})"
        known = self._place.inference.infer(node, dict(self._env))
        if names(node).reads & (names(self._loop.body).writes | {dotted(self._loop.target)}):
            raise FixNotApplicable(NoFix.LOOP_CARRIED, "it changes between iterations")
        if not isinstance(known, Number) and not (isinstance(known, TensorSignature) and known.shape == SCALAR):
            raise FixNotApplicable(NoFix.NOT_A_SCALAR, "it may be more than a scalar")
        return self._place.tree.code(node.with_changes(lpar=[], rpar=[]))

    def _element(self, node: cst.Subscript) -> str:
        """`x[i[0], i[1]]`, with all dimensions of `x`, for all rounds."""
        value = self._place.inference.value(node.value)
        kinds = lattice.choices(value) if value is not None else ()
        known = all(isinstance(c, domain.Tensor) and c.rank in (None, len(node.slice)) for c in kinds)
        if not dotted(node.value) or not kinds or not known:
            raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "it may be more than one element")
        columns: list[str] = []
        for part in node.slice:
            index = part.slice.value if isinstance(part.slice, cst.Index) else None
            at = index.slice[0].slice if isinstance(index, cst.Subscript) and len(index.slice) == 1 else None
            column = integer(at.value) if isinstance(at, cst.Index) else None
            if not isinstance(index, cst.Subscript) or not index.value.deep_equals(self._loop.target) or column is None:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an index that the loop binds")
            columns.append(f"{self.rows}[:, {column}]")
        self.picked = True
        return f"{dotted(node.value)}[{', '.join(columns)}]"


def _marked(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression is `mask.nonzero()` or `torch.nonzero(mask)`."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    count = 1 if dotted(node.func.value) == place.torch else 0
    return node.func.attr.value in ("nonzero", "argwhere") and len(node.args) == count and not any(a.keyword for a in node.args)  # fmt: skip
