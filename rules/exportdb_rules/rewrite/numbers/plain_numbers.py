"""Numbers that need no tensor, and operators that need no plain number.

Measured on torch 2.13, in both modes: `torch.arange(1, n).tolist()` of plain numbers gives symbols, `list(range(1, n))`
the numbers themselves; `one_hot` wants a plain number of classes; `torch.div(n, 4, rounding_mode="trunc")` of a size is a tensor, `n // 4` a size;
`torch.linspace` wants a plain number of steps, `torch.arange` takes a symbol; a function of `math` wants a plain float,
the function of torch on a tensor that holds the number exports, in double precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.fix_site import FixSite, always_computed, lines_before, locate, new_name
from exportdb_rules.rewrite.known.mutation import is_pure
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, signed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext

RANGE: Final = "Replace `torch.arange(...).tolist()` with `list(range(...))`"
MATH: Final = "Compute it with torch"


def tolist_to_range(context: FixContext) -> tuple[Fix, ...]:
    """`torch.arange(a, b).tolist()` of plain numbers, where a number from data was made, as `list(range(a, b))`.

    `safe` where it is sure to count upwards: `torch.arange` refuses to count from 3 to 1, which is an empty range.
    """

    def counting(place: FixSite) -> Applicability:
        return Applicability.SAFE if _counts(_counted(place)) else Applicability.UNSAFE

    return make_fix(context, RANGE, counting, _ranged, _at_list)


def _at_list(context: FixContext) -> FixSite:
    """The place of a list that the finding is at, or that is shown beside it.

    Raises:
        FixNotApplicable: none of them is one of counted numbers.
    """
    finding = context.finding
    for span in (finding.span, *[each.span for each in finding.related if each.filename == finding.filename]):
        place = locate(context, span)
        if isinstance(place.node, cst.Call) and dotted_end(place.node.func) == "tolist":
            return place
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no list is made of a tensor in this file")


def _ranged(place: FixSite) -> Iterable[Edit]:
    given = [place.tree.code(argument.value) for argument in _counted(place).args]
    yield place.tree.edit(place.node, f"list(range({', '.join(given)}))")


def _counted(place: FixSite) -> cst.Call:
    """The `arange` of plain numbers whose `tolist` is called.

    Raises:
        FixNotApplicable: it is another call.
    """
    call = cst.ensure_type(place.node, cst.Call)
    inner = call.func.value if isinstance(call.func, cst.Attribute) else None
    if not isinstance(inner, cst.Call) or dotted(inner.func) != f"{place.torch}.arange" or call.args:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a list of counted numbers")
    if any(a.star or a.keyword is not None or not _plain(place, a.value) for a in inner.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the numbers are not sure to be plain")
    return inner


def _counts(call: cst.Call) -> bool:
    """Whether numbers are counted from one to another in the right direction, whatever the sizes in them are."""
    given = [signed(arg.value) for arg in call.args]
    known = [number for number in given if number is not None]
    if len(known) == len(given):
        start, stop, step = (0, *known, 1) if len(known) == 1 else (*known, 1)[:3]
        return step != 0 and (stop - start) * step >= 0
    node = call.args[0].value
    if isinstance(node, cst.Subscript):
        return len(call.args) == 1 and isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape"
    last = dotted_end(node.func if isinstance(node, cst.Call) else node)
    return len(call.args) == 1 and last in ("len", "dim", "ndim", "numel", "size")


def _plain(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression is a Python integer, whatever its value."""
    value = place.inference.value(node)
    if value is None:
        return isinstance(node, cst.Integer) or _is_rank(node)
    return all(
        (isinstance(c, domain.Const) and type(c.value) is int) or (isinstance(c, domain.Static) and c.type == "int")
        for c in lattice.choices(value)
    )


def _is_rank(node: cst.BaseExpression) -> bool:
    """Whether an expression is the number of dimensions of a tensor, if it is one of a tensor: `len(t.shape)`, `t.dim()`."""
    if isinstance(node, cst.Call) and dotted(node.func) == "len" and len(node.args) == 1:
        given = node.args[0].value
        return dotted_end(given.func if isinstance(given, cst.Call) else given) in ("shape", "size")
    return dotted_end(node.func if isinstance(node, cst.Call) else node) in ("dim", "ndim")


# --- sizes ----------------------------------------------------------------------------------------------------------------


def dotted_end(node: cst.BaseExpression) -> str:
    """The last name of what is called."""
    return node.attr.value if isinstance(node, cst.Attribute) else dotted(node)


# --- math -----------------------------------------------------------------------------------------------------------------

# What torch computes too, and the condition under which `math` answers: it raises where torch gives nan or inf.
_FUNCTIONS: Final = {
    "sqrt": "< 0",
    "log": "<= 0",
    "log2": "<= 0",
    "log10": "<= 0",
    "log1p": "<= -1",
    "exp": "> 709.78",
    "tanh": "",
    "atan": "",
    "erf": "",
    "fabs": "",
}

_NAMES: Final = {"fabs": "abs"}


def math_to_torch(context: FixContext) -> tuple[Fix, ...]:
    """`math.sqrt(v)` of a number from data as torch's function of a tensor that holds it, in double precision.

    `unsafe`: the last digit may differ, and what math refuses is a RuntimeError.
    """
    return make_fix(context, MATH, Applicability.UNSAFE, _computed)


def _computed(place: FixSite) -> Iterable[Edit]:
    call = next((n for n in reversed(place.path[-3:]) if isinstance(n, cst.Call) and _function(n)), None)
    if call is None or len(call.args) != 1 or call.args[0].star or call.args[0].keyword is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no function that torch has too")
    name, argument = _function(call), call.args[0].value
    kinds = place.inference.kinds(argument)
    tensor = place.inference.is_tensor(argument)
    if not tensor and (not kinds or not all(isinstance(c, domain.Sym) and not c.backed for c in kinds)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a data-dependent number")
    line = place.statement()
    if not always_computed(place) or line is None or not is_pure(line):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "it is not always computed, or the line has another side effect")
    held = new_name(place, "number")
    code = place.tree.code(argument)
    full = (
        f"{parenthesised(code)}.double()" if tensor else f"{place.torch}.full((), {code}, dtype={place.torch}.float64)"
    )
    lines = [f"{held} = {full}"]
    if refused := _FUNCTIONS[name]:
        error = "math range error" if name == "exp" else "math domain error"
        lines.append(f'{place.torch}._assert_async(~({held} {refused}), "{error}")')
    return lines_before(place, lines), place.tree.edit(call, f"{held}.{_NAMES.get(name, name)}().item()")


def _function(call: cst.Call) -> str:
    base, _, name = dotted(call.func).rpartition(".")
    return name if base == "math" and name in _FUNCTIONS else ""
