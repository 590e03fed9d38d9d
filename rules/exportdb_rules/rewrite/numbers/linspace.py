"""`torch.linspace`, which wants a plain number of steps, and `torch.arange` with a step from data, which export cannot count,
from `torch.arange(n)`.

Measured on torch 2.13, in both modes: `torch.arange(n)` exports for a size and for a number from data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.fix_site import always_computed, lines_before, new_name
from exportdb_rules.rewrite.known.mutation import is_pure
from exportdb_rules.rewrite.known.signature import DEFAULT_FLOAT, TensorSignature, normal
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

STEPS: Final = "Compute the steps with torch.arange"
COUNTED: Final = "Compute the number of steps before torch.arange"


def linspace_to_arange(context: FixContext) -> tuple[Fix, ...]:
    """`torch.linspace(a, b, n)` with a number `n` from data, from `torch.arange(n)`. `unsafe`: the last digit may differ."""
    return make_fix(context, STEPS, Applicability.UNSAFE, _steps_from_data)


def _steps_from_data(place: FixSite) -> Iterable[Edit]:
    call, given = _call(place)
    if not given.keys() <= {"start", "end", "steps", "device"}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    if not all(_is_number(place, given[bound]) and _repeatable(given[bound]) for bound in ("start", "end")):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "a bound is no plain number, or one that cannot be written twice")
    steps = given["steps"]
    kinds = place.inference.kinds(steps)
    symbol = bool(kinds) and all(isinstance(c, domain.Sym) for c in kinds)
    if not symbol and not place.inference.is_tensor(steps):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the number of steps is not data-dependent")
    line = place.statement()
    if not always_computed(place) or line is None or not is_pure(line):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "it is not always computed, or the line has another side effect")
    if symbol and isinstance(steps, cst.Name):
        return (place.tree.edit(call, _counted(place, call, given, steps.value)),)
    name, code = new_name(place, "steps"), place.tree.code(steps)
    held = lines_before(place, [f"{name} = {code}" if symbol else f"{name} = {parenthesised(code)}.item()"])
    return held, place.tree.edit(call, _counted(place, call, given, name))


def arange_by_step(context: FixContext) -> tuple[Fix, ...]:
    """`torch.arange(a, b, step)` with a step from data: how many there are as a number, which `torch.arange` takes. `unsafe`:
    the last digit may differ where the first number is not 0."""
    return make_fix(context, COUNTED, Applicability.UNSAFE, _count_of_steps)


def _count_of_steps(place: FixSite) -> Iterable[Edit]:
    call, given = _call(place, "arange", ("start", "end", "step"))
    if not given.keys() <= {"start", "end", "step", "device"}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    known = place.inference.infer(given["step"], place.inference.before(place.path))
    if not isinstance(known, TensorSignature) or normal(known.dtype) != DEFAULT_FLOAT:
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "the step is not known to be a tensor of the default float")
    start, end = (_of_tensor(place, given[bound]) for bound in ("start", "end"))
    if not all(_is_number(place, bound) and _repeatable(bound) for bound in (start, end)):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "a bound is no plain number, or one that cannot be written twice")
    line = place.statement()
    if not always_computed(place) or line is None or not is_pure(line):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "it is not always computed, or the line has another side effect")
    # `arange` counts in float64.
    width, begin = parenthesised(place.tree.code(given["end"])), parenthesised(place.tree.code(given["start"]))
    width = width if _literal(start) == 0 else f"({width} - {begin})"
    name, torch, step = new_name(place, "steps"), place.torch, place.tree.code(given["step"])
    lines: list[str] = []
    if not isinstance(given["step"], cst.Name):
        lines, step = [f"{(named := new_name(place, 'step'))} = {step}"], named
    held = lines_before(place, [*lines, f"{name} = {torch}.ceil({width} / {step}.double()).to({torch}.int64).item()"])
    options = [f"device={place.tree.code(given['device'])}"] if "device" in given else []
    steps = f"{torch}.arange({', '.join([name, *options])}) * {step}"
    steps = steps if _literal(start) == 0 else f"{begin} + {steps}"
    return held, place.tree.edit(call, _fitted(place, call, steps))


def _of_tensor(place: FixSite, node: cst.BaseExpression) -> cst.BaseExpression:
    """`n` of `torch.tensor(n)`."""
    made = isinstance(node, cst.Call) and dotted(node.func) == f"{place.torch}.tensor" and len(node.args) == 1
    return node.args[0].value if made and isinstance(node, cst.Call) else node


def _fitted(place: FixSite, call: cst.Call, code: str) -> str:
    """Arithmetic in the place of a call: in parentheses, unless it is all that is assigned, given or returned."""
    around = place.upto(call)[-2]
    return code if isinstance(around, (cst.Assign, cst.AnnAssign, cst.Arg, cst.Return, cst.Element)) else f"({code})"


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
    return (place.tree.edit(call, _counted(place, call, given, place.tree.code(given["steps"]))),)


def _call(
    place: FixSite, operator: str = "linspace", wanted: tuple[str, ...] = ("start", "end", "steps")
) -> tuple[cst.Call, dict[str, cst.BaseExpression]]:
    """The call of an operator of torch at the place, and its arguments by their names, which all have to be there."""
    name = f"{place.torch}.{operator}"
    call = next((n for n in reversed(place.path) if isinstance(n, cst.Call) and dotted(n.func) == name), None)
    if call is None or any(a.star for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, f"not a call of torch.{operator}")
    given = arguments(call.args).by_name(*wanted)
    if given is None or not given.keys() >= set(wanted):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    return call, given


def _counted(place: FixSite, call: cst.Call, given: dict[str, cst.BaseExpression], count: str) -> str:
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
    return _fitted(place, call, steps if first == 0 else f"{begin} + {steps}")


def _literal(node: cst.BaseExpression) -> float | None:
    """A number that is written out."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = _literal(node.expression)
        return None if inner is None else -inner
    return node.evaluated_value if isinstance(node, (cst.Integer, cst.Float)) else None


def _is_number(place: FixSite, node: cst.BaseExpression) -> bool:
    kinds = place.inference.kinds(node)
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
