"""`torch.linspace`, which wants a plain number of steps, from `torch.arange`, which takes a symbol.

Measured on torch 2.13, in both modes: `torch.arange(n)` exports for a size and for a number from data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.fix_site import always_computed, lines_before, new_name
from exportdb_rules.rewrite.known.mutation import is_pure
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

STEPS: Final = "Compute the steps with torch.arange"


def linspace_to_arange(context: FixContext) -> tuple[Fix, ...]:
    """`torch.linspace(a, b, n)` with a number `n` from data, from `torch.arange(n)`. `unsafe`: the last digit may differ."""
    return make_fix(context, STEPS, Applicability.UNSAFE, _steps_from_data)


def _steps_from_data(place: FixSite) -> Iterable[Edit]:
    call, given = _call(place)
    if not given.keys() <= {"start", "end", "steps", "device"}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    if any(_literal(given[bound]) is None for bound in ("start", "end")):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "a bound is not a literal")
    steps = given["steps"]
    value = place.inference.value(steps)
    kinds = lattice.choices(value) if value is not None else ()
    symbol = bool(kinds) and all(isinstance(c, domain.Sym) for c in kinds)
    if not symbol and not (kinds and all(type(c) is domain.Tensor for c in kinds)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the number of steps is not data-dependent")
    line = place.statement()
    if not always_computed(place) or line is None or not is_pure(line):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "it is not always computed, or the line has another side effect")
    if symbol and isinstance(steps, cst.Name):
        return (place.tree.edit(call, _counted(place, given, steps.value)),)
    name, code = new_name(place, "steps"), place.tree.code(steps)
    held = lines_before(place, [f"{name} = {code}" if symbol else f"{name} = {parenthesised(code)}.item()"])
    return held, place.tree.edit(call, _counted(place, given, name))


def steps_of_size(place: FixSite) -> Iterable[Edit]:
    """`torch.linspace(a, b, n)` with a dynamic size `n`, from `torch.arange(n)`.

    Raises:
        FixNotApplicable: it would not count alike, or its arguments may not be written twice.
    """
    call, given = _call(place)
    if not given.keys() <= {"start", "end", "steps", "device", "dtype"}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    if "dtype" in given and dotted(given["dtype"]) not in (f"{place.torch}.float32", f"{place.torch}.float64"):
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "a dtype in which counting is not exact")
    if not all(_is_number(place, given[key]) and _repeatable(given[key]) for key in ("start", "end", "steps")):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no plain numbers, or such that cannot be written twice")
    return (place.tree.edit(call, _counted(place, given, place.tree.code(given["steps"]))),)


def _call(place: FixSite) -> tuple[cst.Call, dict[str, cst.BaseExpression]]:
    """The call of `torch.linspace` at the place, and its arguments by their names."""
    name = f"{place.torch}.linspace"
    call = next((n for n in reversed(place.path) if isinstance(n, cst.Call) and dotted(n.func) == name), None)
    if call is None or any(a.star for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of torch.linspace")
    given = arguments(call.args).by_name("start", "end", "steps")
    if given is None or not {"start", "end", "steps"} <= given.keys():
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    return call, given


def _counted(place: FixSite, given: dict[str, cst.BaseExpression], count: str) -> str:
    """`start + arange(count) * ((end - start) / (count - 1))`; a single step stays where it is."""
    code = place.tree.code
    start, end = given["start"], given["end"]
    first, last = _literal(start), _literal(end)
    width = parenthesised(code(end))
    if first is not None and last is not None:
        width = repr(last - first)
    elif first != 0:
        width = f"({width} - {parenthesised(code(start))})"
    options = [f"{key}={code(node)}" for key, node in given.items() if key not in ("start", "end", "steps")]
    step = f"({width} / {place.torch}.sym_max({parenthesised(count)} - 1, 1))"
    steps = f"{place.torch}.arange({', '.join([count, *options])}) * {step}"
    begin = code(start) if first is not None else parenthesised(code(start))
    return f"({steps})" if first == 0 else f"({begin} + {steps})"


def _literal(node: cst.BaseExpression) -> float | None:
    """A number that is written out."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = _literal(node.expression)
        return None if inner is None else -inner
    return node.evaluated_value if isinstance(node, (cst.Integer, cst.Float)) else None


def _is_number(place: FixSite, node: cst.BaseExpression) -> bool:
    value = place.inference.value(node)
    kinds = lattice.choices(value) if value is not None else ()
    if len(kinds) != 1:
        return False
    (only,) = kinds
    if isinstance(only, domain.Const):
        return type(only.value) in (int, float)
    return isinstance(only, (domain.Sym, domain.Static)) and only.type in ("int", "float")


def _repeatable(node: cst.BaseExpression) -> bool:
    """Whether an expression may be written twice: names, attributes, sizes and arithmetic with them."""
    if isinstance(node, (cst.Integer, cst.Float)) or bool(dotted(node)):
        return True
    if isinstance(node, cst.UnaryOperation):
        return _repeatable(node.expression)
    if isinstance(node, cst.BinaryOperation):
        return _repeatable(node.left) and _repeatable(node.right)
    if isinstance(node, cst.Subscript) and len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        return _repeatable(node.value) and _repeatable(node.slice[0].slice.value)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "size":
        return _repeatable(node.func.value) and all(not a.star and _repeatable(a.value) for a in node.args)
    return False
