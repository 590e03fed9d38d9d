"""What the functions that a loop calls decide by data: `map` and `scan` capture their function as a whole, in eager too, and
raise where export would (measured on torch 2.13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.fix_site import FixSite


def refuse_deciding(place: FixSite, code: Sequence[cst.CSTNode]) -> None:
    """Raises FixNotApplicable where a function of the file that the code calls, or one that it calls, branches on data itself."""
    seen: set[cst.FunctionDef] = set()
    wanted = [call for node in code for call in below(node, cst.Call)]
    while wanted:
        call = wanted.pop()
        function = _called(place, call)
        if function is None or function in seen:
            continue
        seen.add(function)
        for node in below(function, cst.CSTNode):
            test = node.test if isinstance(node, (cst.If, cst.While, cst.IfExp, cst.Assert)) else None
            if test is not None and _decides(place, test):
                raise FixNotApplicable(NoFix.UNTRACEABLE, "a function that the loop body calls branches on data")
        inner = list(below(function, cst.Call))
        if any(dotted(one.func).rpartition(".")[2] in ("cond", "while_loop") for one in inner):
            raise FixNotApplicable(
                NoFix.UNTRACEABLE, "an operator inside another: eager may need sizes that are unknown there"
            )
        wanted += inner


def _called(place: FixSite, call: cst.Call) -> cst.FunctionDef | None:
    name = dotted(call.func)
    if name.startswith("self.") and place.owner is not None:
        methods = [s for s in place.owner.body.body if isinstance(s, cst.FunctionDef)]
        return next((m for m in methods if m.name.value == name.removeprefix("self.")), None)
    return place.inference.globals.get(name)


def _decides(place: FixSite, test: cst.BaseExpression) -> bool:
    """Whether a test asks a tensor, or a number from data, what it is. `x is None` and `x.dim() > 1` do not."""
    if isinstance(test, cst.BooleanOperation):
        return _decides(place, test.left) or _decides(place, test.right)
    if isinstance(test, cst.UnaryOperation):
        return _decides(place, test.expression)
    parts = [test]
    if isinstance(test, cst.Comparison) and not isinstance(test.comparisons[0].operator, (cst.Is, cst.IsNot)):
        parts += [test.left, *(c.comparator for c in test.comparisons)]
    values = [value for part in parts if (value := place.inference.value(part)) is not None]
    choices = [choice for value in values for choice in lattice.choices(value)]
    return any(type(c) is domain.Tensor or (type(c) is domain.Sym and not c.backed) for c in choices)
