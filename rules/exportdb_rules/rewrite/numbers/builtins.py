"""Python's `sorted`, `filter`, `min` and `max` over what data decides as what stays in the graph.

Measured on torch 2.13, in both modes: indexing by `torch.argsort`, a comparison with `torch.arange(t.item())`, and `torch.sym_min`
of a float read from a tensor export; the builtin `min` compares such a float.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.branching.where import comments_in
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, integer, only_statement, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

SYMBOLIC: Final = "Replace `{name}()` with `torch.sym_{name}()`"
SYMBOLIC_BRANCH: Final = "Replace the branch with `torch.sym_{name}()`"
OF_LIST: Final = "Pass one list to `{name}()`"
OWN_METHOD: Final = "Use the tensor's own method"


def extremum_to_symbolic(context: FixContext) -> tuple[Fix, ...]:
    """`min(a, b)` and `max(a, b)` of floats that were read from tensors as `torch.sym_min` and `torch.sym_max`.

    `unsafe`: of an int and a float these make a float, whichever is the smaller one.
    """
    return make_fix(context, lambda place: SYMBOLIC.format(name=_extremum(place)[0]), Applicability.UNSAFE, _symbolic)


def _extremum(place: FixSite) -> tuple[str, cst.Call, list[cst.BaseExpression]]:
    """The call of `min` or `max`, its name, and the numbers."""
    call = place.node
    name = dotted(call.func) if isinstance(call, cst.Call) else ""
    if not isinstance(call, cst.Call) or name not in ("min", "max"):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of min or max")
    if any(arg.star or arg.keyword is not None for arg in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    given = [arg.value for arg in call.args]
    if len(given) == 1 and isinstance(given[0], (cst.List, cst.Tuple)):
        if any(isinstance(element, cst.StarredElement) for element in given[0].elements):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
        given = [element.value for element in given[0].elements]
    values = [place.inference.value(one) for one in given]
    if len(given) < 2 or not all(
        value is not None and all(_is_number(kind) for kind in lattice.choices(value)) for value in values
    ):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "not sure to be several numbers")
    return name, call, given


def _is_number(value: domain.Value) -> bool:
    if isinstance(value, domain.Const):
        return type(value.value) in (int, float)
    return type(value) is domain.Sym or (isinstance(value, domain.Static) and value.type in ("int", "float"))


def _symbolic(place: FixSite) -> Iterable[Edit]:
    name, call, given = _extremum(place)
    first, *others = map(place.tree.code, given)
    for other in others:
        first = f"{place.torch}.sym_{name}({first}, {other})"
    return [place.tree.edit(call, first)]


def branch_to_extremum(context: FixContext) -> tuple[Fix, ...]:
    """`n if n > 0 else 1` and `if a > 2.0: a = 2.0`, of numbers that were read from tensors, as `torch.sym_max` and `torch.sym_min`.

    `unsafe`: of an int and a float these make a float, whichever it is, and of a NaN the other number may come.
    """
    return make_fix(
        context, lambda place: SYMBOLIC_BRANCH.format(name=_bounded(place)[0]), Applicability.UNSAFE, _bounding
    )


def _bounded(place: FixSite) -> tuple[str, cst.BaseExpression, cst.BaseExpression]:
    """`max` or `min`, and the two numbers that a branch chooses between."""
    branch = place.branch()
    test = branch.test
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain comparison")
    left, link = test.left, test.comparisons[0]
    if isinstance(branch, cst.IfExp):
        one, two = branch.body, branch.orelse
    else:
        name, one = _assigned(branch.body)
        other = branch.orelse
        if other is not None and not isinstance(other, cst.Else):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than a bound of one number")
        named, two = (name, name) if other is None else _assigned(other.body)
        if not named.deep_equals(name):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than a bound of one number")
    above = isinstance(link.operator, (cst.GreaterThan, cst.GreaterThanEqual))
    if not above and not isinstance(link.operator, (cst.LessThan, cst.LessThanEqual)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a comparison of which is larger")
    kept = [end for end in (one, two) if end.deep_equals(left)]
    bounds = [end for end in (one, two) if not end.deep_equals(left)]
    values = [place.inference.value(end) for end in (left, *bounds)]
    if len(kept) != 1 or not all(v is not None and all(map(_is_number, lattice.choices(v))) for v in values):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "not sure to be a choice between two numbers")
    limit, bound = link.comparator, bounds[0]
    larger = above == (one is kept[0])
    if not bound.deep_equals(limit):
        # `n > 0` of integers says `n >= 1`.
        given, wanted = integer(limit), integer(bound)
        strict = isinstance(link.operator, (cst.GreaterThan, cst.LessThan)) == (one is kept[0])
        whole = all(
            v is not None and all(getattr(k, "type", "int") == "int" for k in lattice.choices(v)) for v in values
        )
        if given is None or wanted is None or not whole or not strict or wanted != given + (1 if larger else -1):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the bound is not the one that is asked for")
    return "max" if larger else "min", left, bound


def _assigned(block: cst.BaseSuite) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """The name that a block assigns to, and what it gets."""
    only = only_statement(statements(block))
    if not isinstance(only, cst.Assign) or len(only.targets) != 1 or not isinstance(only.targets[0].target, cst.Name):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than a bound of one number")
    return only.targets[0].target, only.value


def _bounding(place: FixSite) -> Iterable[Edit]:
    name, one, two = _bounded(place)
    branch = place.branch()
    code = f"{place.torch}.sym_{name}({place.tree.code(one)}, {place.tree.code(two)})"
    if isinstance(branch, cst.IfExp):
        return replaced(place.tree, branch, cst.parse_expression(code))
    span = place.tree.span(branch)
    if span is None or comments_in(branch) or not isinstance(place.upto(branch)[-2], cst.IndentedBlock):
        raise FixNotApplicable(NoFix.SHARED_LINE, "an elif, or comments would be lost")
    return [Edit(span, f"{place.tree.code(_assigned(branch.body)[0])} = {code}")]


def extremum_of_list(context: FixContext) -> tuple[Fix, ...]:
    """`max(a, b, c)` as `max([a, b, c])`: Python compares in the same order, and torch's stand-in takes two at a time."""
    return make_fix(
        context, lambda place: OF_LIST.format(name=dotted(_several(place).func)), Applicability.SAFE, _listed
    )


def _several(place: FixSite) -> cst.Call:
    call = place.node
    if not isinstance(call, cst.Call) or any(arg.keyword is not None for arg in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    return call


def _listed(place: FixSite) -> Iterable[Edit]:
    call = _several(place)
    first, last = place.tree.span(call.args[0]), place.tree.span(call.args[-1].value)
    if first is None or last is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no place in the text")
    return [Edit(Span(first.start, first.start), "["), Edit(Span(last.end, last.end), "]")]


def extremum_of_tensor(context: FixContext) -> tuple[Fix, ...]:
    """`max(t)` of a tensor of one dimension as `t.max()`. `unsafe`: a NaN, which Python compares by chance, is the result."""
    return make_fix(context, OWN_METHOD, Applicability.UNSAFE, _own_method)


def _own_method(place: FixSite) -> Iterable[Edit]:
    call = place.node
    name = dotted(call.func) if isinstance(call, cst.Call) else ""
    if not isinstance(call, cst.Call) or name not in ("min", "max"):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of min or max")
    if len(call.args) != 1 or call.args[0].star or call.args[0].keyword is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    kinds = place.inference.kinds(call.args[0].value)
    if not kinds or not all(type(kind) is domain.Tensor and kind.rank == 1 for kind in kinds):
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "the tensor may have more than one dimension")
    return [place.tree.edit(call, f"{parenthesised(place.tree.code(call.args[0].value))}.{name}()")]
