"""Operators that read a dynamic size as a plain number, in forms that keep it symbolic.

Measured on torch 2.13, in both modes, under a named Dim and under DYNAMIC: `torch.arange(n)`, `torch.tensor(n)`,
`torch.zeros(*t.shape, n).scatter(…)` and `torch.einsum` of two operands export and hold at other sizes, where
`torch.linspace(a, b, n)`, `torch.hann_window(n)`, `torch.as_tensor(n)`, `math.log(n)`, `one_hot(t, n)` and `torch.einsum` of three operands
freeze the size that was traced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.numbers.linspace import steps_of_size
from exportdb_rules.rewrite.numbers.one_hot import one_hot_of_size
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLES: Final = {
    "as_tensor": "Keep the size symbolic with torch.tensor",
    "einsum": "Contract two operands at a time",
    "linspace": "Compute the steps with torch.arange",
    "math": "Compute the logarithm with torch",
    "one_hot": "Compute the one-hot encoding with scatter",
    "triangle": "Compute the triangle indices from a mask",
    "window": "Compute the window with torch.arange",
}
# The windows as sums of cosines of the angle, `{}`; torch documents the coefficients.
_WINDOWS: Final = {
    "hann_window": "0.5 - 0.5 * {cos}({angle})",
    "hamming_window": "0.54 - 0.46 * {cos}({angle})",
    "blackman_window": "0.42 - 0.5 * {cos}({angle}) + 0.08 * {cos}(2 * {angle})",
}
_LOGARITHMS: Final = {"math.log": "log", "math.log2": "log2", "math.log10": "log10"}


def operator_of_size(context: FixContext) -> tuple[Fix, ...]:
    """An operator that reads a dynamic size, as one that does not.

    `safe` for `torch.tensor` and the triangle; `one_hot` refuses labels that `scatter` takes, and the others may round
    differently in the last digit.
    """
    rewrites: dict[str, Callable[[FixSite], Iterable[Edit]]] = {
        "as_tensor": _as_tensor,
        "linspace": steps_of_size,
        "math": _logarithm,
        "one_hot": one_hot_of_size,
        "triangle": _triangle,
        "window": _window,
    }
    kind = next((kind for kind in rewrites if context.finding.case.startswith(kind)), None)
    if kind is None:
        return ()
    exact = kind in ("as_tensor", "triangle")
    return make_fix(context, TITLES[kind], Applicability.SAFE if exact else Applicability.UNSAFE, rewrites[kind])


def _call(place: FixSite, name: str) -> cst.Call:
    """The call of a function of torch, without stars, that the finding is or is an argument of."""
    for node in reversed(place.path[-3:]):
        if isinstance(node, cst.Call):
            if dotted(node.func) == f"{place.torch}.{name}" and not any(a.star for a in node.args):
                return node
            break
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another call")


def _as_tensor(place: FixSite) -> Iterable[Edit]:
    call = _call(place, "as_tensor")
    if not isinstance(_value(place, call.args[0].value), domain.Sym):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a size")
    new = call.with_changes(func=cst.parse_expression(f"{place.torch}.tensor"))
    return (place.tree.edit(call, place.tree.code(new)),)


def _value(place: FixSite, node: cst.BaseExpression) -> domain.Value | None:
    choices = place.inference.kinds(node)
    return choices[0] if len(choices) == 1 else None


def _logarithm(place: FixSite) -> Iterable[Edit]:
    """`math.log(n)` of a size as a tensor without dimensions, where arithmetic with a tensor takes it up."""
    call, above = place.path[-1], place.path[-2]
    if isinstance(above, cst.Arg):  # the finding is the argument
        call, above = place.path[-3], place.path[-4]
    if not isinstance(call, cst.Call) or dotted(call.func) not in _LOGARITHMS or len(call.args) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a logarithm")
    if not isinstance(above, cst.BinaryOperation):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no arithmetic takes it up")
    other = above.left if above.right is call else above.right
    refuse_partner(place, other)
    number = call.args[0].value
    if not isinstance(_value(place, number), domain.Sym):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a size")
    code = f"{place.torch}.{_LOGARITHMS[dotted(call.func)]}({place.torch}.tensor({place.tree.code(number)}))"
    return (place.tree.edit(call, code),)


def _window(place: FixSite) -> Iterable[Edit]:
    """`hann_window(n)` and its kin by their formula. A window of one is one, whatever the formula says."""
    call = next((n for n in reversed(place.path[-3:]) if isinstance(n, cst.Call)), None)
    formulas = {f"{place.torch}.{kind}": formula for kind, formula in _WINDOWS.items()}
    if call is None or dotted(call.func) not in formulas or any(a.star for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another call")
    nodes = arguments(call.args).by_name("window_length", "periodic") or {}
    if "window_length" not in nodes or not nodes.keys() <= {"window_length", "periodic", "device"}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    periodic = dotted(nodes["periodic"]) if "periodic" in nodes else "True"
    if periodic not in ("True", "False"):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "it is not known whether the window is periodic")
    size = parenthesised(place.tree.code(nodes["window_length"]))
    device = f", device={place.tree.code(nodes['device'])}" if "device" in nodes else ""
    rounds = size if periodic == "True" else f"({size} - 1)"
    angle = f"2 * {place.torch}.pi * {place.torch}.arange({size}{device}) / {rounds}"
    shape = formulas[dotted(call.func)].format(cos=f"{place.torch}.cos", angle=angle)
    code = f"{place.torch}.where({place.torch}.tensor({size}{device}) == 1, 1.0, {shape})"
    return (place.tree.edit(call, code),)


def _triangle(place: FixSite) -> Iterable[Edit]:
    """`triu_indices(n, m, k)` as the places of ones in a triangle: the same, in the same order."""
    call = next((n for n in reversed(place.path[-3:]) if isinstance(n, cst.Call)), None)
    kinds = {f"{place.torch}.{kind}_indices": kind for kind in ("triu", "tril")}
    kind = kinds.get(dotted(call.func)) if call is not None else None
    if call is None or kind is None or any(a.star for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another call")
    nodes = arguments(call.args).by_name("row", "col", "offset") or {}
    given = {key: place.tree.code(node) for key, node in nodes.items()}
    if not {"row", "col"} <= given.keys() <= {"row", "col", "offset", "device"}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    device = f", device={given['device']}" if "device" in given else ""
    ones = f"{place.torch}.ones({given['row']}, {given['col']}, dtype={place.torch}.bool{device})"
    return (place.tree.edit(call, f"{ones}.{kind}({given.get('offset', '')}).nonzero().T.contiguous()"),)


def refuse_partner(place: FixSite, other: cst.BaseExpression) -> None:
    """Raises FixNotApplicable unless an operand is a tensor whose dtype and digits a number of no dimensions leaves alone."""
    kinds = place.inference.kinds(other)
    if not kinds or not all(type(c) is domain.Tensor for c in kinds):
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")
    for kind in kinds:
        if isinstance(kind, domain.Tensor) and (kind.rank == 0 or kind.dtype == "float64"):
            raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "two tensors would promote to the wider dtype")
