"""Dynamic sizes that are made plain Python numbers, in forms that stay symbolic.

Measured on torch 2.13, in both modes, under a named Dim and under DYNAMIC: `n ** 0.5`, `torch.sym_float(n)`,
`torch.sym_int(n * 0.5)`, `n // 2`, `t.shape[0]` and `isinstance(n, (int, torch.SymInt))` export and hold at other sizes,
where `math.sqrt(n)`, `float(n)`, `int(n * 0.5)`, `len(t)` and `isinstance(n, int)` freeze the size that was traced.
"""

from __future__ import annotations

from dataclasses import replace
from math import frexp
from typing import TYPE_CHECKING, Final

import libcst as cst
import libcst.matchers as m

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.imports import module_import, numpy_name
from exportdb_rules.rewrite.interface.dims import dim_edits
from exportdb_rules.rewrite.known.signature import TensorSignature
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.finding import Edit, Span
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Keep the size symbolic"
_RAISE: Final = "raise "
EXPAND: Final = "Replace list repetition with `expand`"


def size_kept_symbolic(context: FixContext) -> tuple[Fix, ...]:
    """`int`, `float`, `len`, `math.sqrt`, `isinstance(…, int)` of a dynamic size and `numel` of a shape, each in a form that
    stays symbolic.

    `safe` but for the root, which the two ways of computing it may round differently.
    """
    try:
        place = locate(context, _expression(context))
        call = _call(place)
        code, exact = _symbolic(place, call)
        # A slice by half of a size must hold over the whole range of a named Dim, however the half is computed.
        sliced = any(isinstance(n, cst.Slice) for n in place.path)
        dims = _dims(place, context) if sliced and "//" in code else ()
        imported = module_import(place.tree, "math") if code.startswith("math.") else ()
    except FixNotApplicable:
        return ()
    edits = validated_edits(place, tuple(sorted((place.tree.edit(call, code), *dims, *imported), key=lambda e: e.span)))
    applicability = Applicability.SAFE if exact and not dims else Applicability.UNSAFE
    return (Fix(TITLE, applicability, edits, preferred=True, arrays=True),) if edits else ()


def _dims(place: FixSite, context: FixContext) -> tuple[Edit, ...]:
    if not context.finding.case.endswith("_named"):
        return ()
    return dim_edits(place.tree, context.finding.entry.partition(".")[0])


def _expression(context: FixContext) -> Span:
    """Where the expression of the finding stands: of a `raise`, what it raises."""
    span = context.finding.span
    line = context.text.splitlines()[span.start.row - 1]
    raises = line[span.start.column - 1 :].startswith(_RAISE)
    return replace(span, start=replace(span.start, column=span.start.column + len(_RAISE))) if raises else span


def _call(place: FixSite) -> cst.Call:
    """The call that the finding's expression is, or is an argument of; where the finding is what raises, the check of a type
    that it stands behind."""
    raising = any(isinstance(node, cst.Raise) for node in place.path[-2:])
    inside: Sequence[cst.CSTNode] = place.path[-3:]
    if raising:
        branch = next((node for node in reversed(place.path) if isinstance(node, cst.If)), None)
        inside = () if branch is None else m.findall(branch.test, m.Call(func=m.Name("isinstance")))
    for node in reversed(inside):
        if isinstance(node, cst.Call) and (not raising or len(inside) == 1):
            return node
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call")


def _symbolic(place: FixSite, call: cst.Call) -> tuple[str, bool]:
    """The code, and whether it gives the very same number."""
    name = dotted(call.func)
    if isinstance(call.func, cst.Attribute) and call.func.attr.value == "numel" and not call.args:
        return _product(place, call.func.value), True
    if any(a.star or a.keyword is not None for a in call.args) or not call.args:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    first = call.args[0].value
    code = place.tree.code(first)
    if name == "isinstance" and len(call.args) == 2:
        kind = call.args[1].value
        if dotted(kind) != "int":
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another dtype is requested")
        return f"isinstance({code}, (int, {place.torch}.SymInt))", True
    if len(call.args) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than a number")
    if name == "len":
        if not place.inference.is_tensor(first):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a tensor")
        return f"{parenthesised(code)}.shape[0]", True
    if not _symbol(place, first):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a size")
    if name == "int":
        return _integer(place, first, call), True
    if name == "float":
        return f"{place.torch}.sym_float({code})", True
    if name in ("math.sqrt", "sqrt", f"{numpy_name(place.tree)}.sqrt"):
        root = f"{parenthesised(code)} ** 0.5"
        return root if isinstance(place.path[place.path.index(call) - 1], cst.Arg) else f"({root})", False
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not in the table")


def _product(place: FixSite, shape: cst.BaseExpression) -> str:
    """The product of what a `torch.Size` holds: that of all sizes of a tensor is how many numbers it has."""
    if isinstance(shape, cst.Attribute) and shape.attr.value == "shape":
        return f"{place.tree.code(shape.value)}.numel()"
    if isinstance(shape, cst.Call) and dotted(shape.func) == f"{place.torch}.Size" and len(shape.args) == 1:
        shape = shape.args[0].value
    return f"math.prod({place.tree.code(shape)})"


def _integer(place: FixSite, node: cst.BaseExpression, call: cst.Call) -> str:
    code = place.tree.code(node)
    if _whole(place, node):
        loose = call is not place.path[-1] or not isinstance(place.path[place.path.index(call) - 1], cst.Arg)
        return parenthesised(code) if loose else code
    quotient = _quotient(node)
    if quotient is not None:
        divided, divisor = quotient
        value = place.inference.value(divided)
        if value is not None and all(isinstance(c, domain.Sym) and c.size for c in lattice.choices(value)):
            # A size is no negative number: to truncate is to round down.
            halves = f"{parenthesised(place.tree.code(divided))} // {divisor}"
            above = place.path[place.path.index(call) - 1]
            added = isinstance(above, cst.BinaryOperation) and isinstance(above.operator, (cst.Add, cst.Subtract))
            inside = added or isinstance(above, (cst.Arg, cst.Slice, cst.Index, cst.Assign))
            return halves if inside else f"({halves})"
    return f"{place.torch}.sym_int({code})"


def _quotient(node: cst.BaseExpression) -> tuple[cst.BaseExpression, str] | None:
    """What is divided by a whole number that is written out, and the number: `n / 4` or, of a power of two, `n * 0.25`."""
    if not isinstance(node, cst.BinaryOperation):
        return None
    if isinstance(node.operator, cst.Divide) and isinstance(node.right, cst.Integer) and int(node.right.value) > 0:
        return node.left, node.right.value
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(node.operator, cst.Multiply) and isinstance(other, cst.Float):
            mantissa, exponent = frexp(other.evaluated_value)
            if mantissa == 0.5 and exponent <= 0:
                return one, str(2 ** (1 - exponent))
    return None


def _whole(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression is a symbolic integer."""
    value = place.inference.value(node)
    return value is not None and all(isinstance(c, domain.Sym) and c.type == "int" for c in lattice.choices(value))


def _symbol(place: FixSite, node: cst.BaseExpression) -> bool:
    value = place.inference.value(node)
    return value is not None and all(isinstance(c, domain.Sym) and c.backed for c in lattice.choices(value))


def round_digits_to_integers(context: FixContext) -> tuple[Fix, ...]:
    """`round(n, -1)` of a size, which export computes wrongly, in integers: half goes to the even neighbour. `safe`."""
    return make_fix(context, TITLE, Applicability.SAFE, _in_integers, arrays=True)


def _in_integers(place: FixSite) -> Iterable[Edit]:
    call = _call(place)
    if dotted(call.func) != "round" or len(call.args) != 2 or not dotted_or_item(call.args[0].value):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no number that may be written twice is rounded to digits")
    digits = call.args[1].value
    if not isinstance(digits, cst.UnaryOperation) or not isinstance(digits.operator, cst.Minus):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no digits before the point")
    if not isinstance(digits.expression, cst.Integer) or not int(digits.expression.value):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no digits before the point")
    if not _symbol(place, call.args[0].value) or not _whole(place, call.args[0].value):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a size")
    power = 10 ** int(digits.expression.value)
    code = parenthesised(place.tree.code(call.args[0].value))
    new = f"(({code} + {power // 2 - 1} + ({code} // {power}) % 2) // {power} * {power})"
    return (place.tree.edit(call, new),)


def dotted_or_item(node: cst.CSTNode) -> bool:
    """Whether an expression may be written twice: a name, an attribute, an element of one of these by a literal."""
    if isinstance(node, cst.Subscript) and len(node.slice) == 1:
        index = node.slice[0].slice
        return isinstance(index, cst.Index) and isinstance(index.value, cst.Integer) and bool(dotted(node.value))
    return bool(dotted(node))


def repeat_to_expand(context: FixContext) -> tuple[Fix, ...]:
    """`torch.stack([t] * n)` and `torch.cat([t] * n)` as `t.expand(n, …)`: the same values, in memory of their own.

    `unsafe`: nothing to stack raises, and expands to no rows.
    """
    return make_fix(context, EXPAND, Applicability.UNSAFE, _expanded)


def _expanded(place: FixSite) -> Iterable[Edit]:
    for index in range(len(place.path) - 1, 1, -1):
        product, call = place.path[index], place.path[index - 2]
        if not isinstance(product, cst.BinaryOperation) or not isinstance(product.operator, cst.Multiply):
            continue
        listed, count = product.left, product.right
        if not isinstance(listed, cst.List) or len(listed.elements) != 1 or not isinstance(call, cst.Call):
            break
        joined = {f"{place.torch}.stack": "", f"{place.torch}.cat": ".flatten(0, 1)"}.get(dotted(call.func))
        if joined is None or not _first_dimension(call) or call.args[0].value is not product:
            break
        tensor = listed.elements[0].value
        value = place.inference.value(tensor)
        if not dotted_or_item(tensor) or value is None:
            break
        if not all(type(c) is domain.Tensor for c in lattice.choices(value)):
            break
        code = place.tree.code(tensor)
        # What is put together has no gaps, however its parts lie.
        known = place.inference.infer(tensor, place.environment())
        ordered = (
            isinstance(known, TensorSignature)
            and all(r.startswith("#") for r in known.storages)
            and not known.maybe_noncontiguous
        )
        own = "" if ordered else f"memory_format={place.torch}.contiguous_format"
        expanded = f"{code}.expand({place.tree.code(count)}, *{code}.shape).clone({own}){joined}"
        return (place.tree.edit(call, expanded),)
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no list of one tensor is stacked")


def _first_dimension(call: cst.Call) -> bool:
    """Whether tensors are put together along their first dimension."""
    if len(call.args) == 1:
        return True
    given = call.args[1]
    key = given.keyword.value if given.keyword is not None else "dim"
    return (
        len(call.args) == 2
        and key in ("dim", "axis")
        and isinstance(given.value, cst.Integer)
        and given.value.value == "0"
    )
