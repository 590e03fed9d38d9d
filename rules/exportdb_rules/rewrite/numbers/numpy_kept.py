"""What numpy made before tracing: numbers as Python's own, arrays as buffers, where they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.state import in_class, made_in_constructor, registered
from exportdb_rules.rewrite.buffers.state_uses import (
    attribute_paths,
    functions_around,
    of_self,
    paths,
    sees_no_write,
    set_by_constructor,
    stored,
)
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.buffers.state_uses import Path
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Convert the NumPy scalar to a Python number"
TITLE_ARRAY: Final = "Store the NumPy array in a buffer"
# Functions of numpy that always give a float: `float` says so, where `.item()` is right for ints, too.
_FLOATS: Final = frozenset(
    "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh mean std var "
    "true_divide divide float_power".split()
)


def as_python_number(context: FixContext) -> tuple[Fix, ...]:
    """`self.scale = np.sqrt(d)` as `self.scale = float(np.sqrt(d))`: what is not numpy's is a constant of the graph.

    `unsafe`: Python's numbers raise where numpy's only warn, as when something is divided by 0.
    """

    def rewrite(place: FixSite) -> Iterable[Edit]:
        return _converted(place, context)

    return make_fix(context, TITLE, Applicability.UNSAFE, rewrite)


def as_buffer(context: FixContext) -> tuple[Fix, ...]:
    """`self.w = np.hanning(8)`, which `forward` makes a tensor of, as a buffer that the constructor registers.

    `unsafe`: a buffer moves with the module, and takes its dtype.
    """

    def rewrite(place: FixSite) -> Iterable[Edit]:
        edits: list[Edit] = []
        for name in sorted({n.attr.value for n in below(place.node, cst.Attribute) if dotted(n.value) == "self"}):
            edits += _registered(place, context, name)
        return edits

    return make_fix(context, TITLE_ARRAY, Applicability.UNSAFE, rewrite, in_class)


def _registered(place: FixSite, context: FixContext, name: str) -> list[Edit]:
    """The edits that let a buffer hold an array; [] where the attribute is none."""
    made = made_in_constructor(place, name)
    span = place.tree.span(made.value)
    kept = domain.TOP if span is None else context.value(span)
    if not all(choice in (domain.KEPT, domain.KEPT_ARRAY) for choice in lattice.choices(kept)):
        return []
    edits = [edit for path in _reads(place, name) if (edit := _taken(place, path)) is not None]
    made_tensor = f"{place.torch}.as_tensor({place.tree.code(made.value)})"
    return [*edits, made.replaced(place, [registered(name, made_tensor)])]


def _reads(place: FixSite, name: str) -> list[Path]:
    """Where methods of the class read an attribute that the constructor sets.

    Raises:
        FixNotApplicable: other code uses it, too, or another method sets it.
    """
    found = [path for path, _ in attribute_paths(place, name) if not set_by_constructor(place, path)]
    for path in found:
        functions = functions_around(path)
        if not of_self(place, path) or len(functions) != 1 or functions[0].name.value == "__init__":
            raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "other code uses the attribute too")
        if stored(path):
            raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "it is not the constructor alone that sets it")
    return found


def _taken(place: FixSite, path: Path) -> Edit | None:
    """The edit that lets a tensor made of the array be the buffer; None where only its shape is asked for.

    Raises:
        FixNotApplicable: the array is used as numpy's.
    """
    parent, call = path[-2], path[-3]
    if isinstance(parent, cst.Attribute) and parent.attr.value in ("shape", "ndim"):
        return None
    makes = dotted(call.func).removeprefix(f"{place.torch}.") if isinstance(call, cst.Call) else ""
    if (
        not isinstance(call, cst.Call)
        or parent is not call.args[0]
        or makes not in ("from_numpy", "tensor", "as_tensor")
    ):
        raise FixNotApplicable(NoFix.ARRAY_ESCAPES, "it is used as numpy's")
    given = {"" if arg.keyword is None else arg.keyword.value: place.tree.code(arg.value) for arg in call.args[1:]}
    span = place.tree.span(call)
    if not given.keys() <= {"device", "dtype"} or "None" in given.values() or span is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an argument that a buffer does not take")
    moved = f".to({', '.join(given[key] for key in ('device', 'dtype') if key in given)})" if given else ""
    copied = ".clone()" if makes == "tensor" and not _only_read(place, path[:-2]) else ""
    return Edit(span, f"{place.tree.code(path[-1])}{moved}{copied}")


def _only_read(place: FixSite, path: Path) -> bool:
    """Whether nothing writes the tensor of an expression, also where it is given a name."""
    assign = path[-2]
    target = assign.targets[0].target if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
    if not isinstance(target, cst.Name):
        return sees_no_write(place, path)
    used = [use for use in paths(functions_around(path)[0]) if _is_name(use, target.value)]
    return all(use[-1] is target or (not stored(use) and sees_no_write(place, use)) for use in used)


def _converted(place: FixSite, context: FixContext) -> list[Edit]:
    edits: list[Edit] = []
    for name in sorted({node.attr.value for node in below(place.node, cst.Attribute) if dotted(node.value) == "self"}):
        edits += _of_uses(place, context, [path for path, _ in attribute_paths(place, name)], attribute=True)
    for name in sorted({node.value for node in below(place.node, cst.Name)}):
        edits += _of_uses(place, context, _globals(place, name), attribute=False)
    if not edits:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "where numpy's number is made is not visible")
    return edits


def _globals(place: FixSite, name: str) -> list[Path]:
    """The places of a name of the file that no function takes for itself."""
    found = [path for path in paths(place.tree.module) if _is_name(path, name)]
    given = any(
        parameter.name.value == name
        for function in below(place.tree.module, cst.FunctionDef)
        for parameter in parameters(function)
    )
    return [] if given or any(stored(path) and functions_around(path) for path in found) else found


def _is_name(path: Path, name: str) -> bool:
    """Whether a place is that name, and not the like-named part behind a dot or before `=`."""
    node, parent = path[-1], path[-2] if len(path) > 1 else None
    if isinstance(parent, (cst.Attribute, cst.Arg)) and node is not parent.value:
        return False
    return isinstance(node, cst.Name) and node.value == name


def _of_uses(place: FixSite, context: FixContext, uses: list[Path], *, attribute: bool) -> list[Edit]:
    """The edit of the one assignment that the uses of a name go back to; [] where no number of numpy's is assigned."""
    written = [path for path in uses if stored(path) and (not attribute or of_self(place, path))]
    values = [(path, _assigned(path)) for path in written]
    kept = [value for _, value in values if value is not None and _is_kept(place, context, value)]
    if not kept:
        return []
    path, value = values[0]
    if len(values) != 1 or value is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it is assigned more than once")
    if attribute and not set_by_constructor(place, path):
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "it is not the constructor that sets it")
    if any(isinstance(use[-2], (cst.Attribute, cst.Subscript)) and use[-2].value is use[-1] for use in uses):
        raise FixNotApplicable(NoFix.ARRAY_ESCAPES, "it is used as numpy's")
    if any(_meets_array(place, use) for use in uses):
        raise FixNotApplicable(
            NoFix.NUMPY_DIFFERS, "numpy's number decides the dtype of an array, and Python's does not"
        )
    _refuse_arrays(value, functions_around(path)[0] if attribute else None)
    span = place.tree.span(value)
    if span is None:
        return []
    return [Edit(span, _number(place.tree.code(value), value))]


def _meets_array(place: FixSite, use: Path) -> bool:
    """Whether a number is an operand beside an array of numpy's."""
    parent = use[-2]
    if not isinstance(parent, cst.BinaryOperation):
        return False
    value = place.inference.value(parent.right if parent.left is use[-1] else parent.left)
    return value is not None and any(type(c) is domain.Tensor and c.array for c in lattice.choices(value))


def _assigned(path: Path) -> cst.BaseExpression | None:
    """What a plain assignment gives the place."""
    around = list(reversed(path))[1:3]
    for node in around:
        if isinstance(node, cst.AnnAssign):
            return node.value
        if isinstance(node, cst.Assign):
            return node.value if len(node.targets) == 1 and node is around[-1] else None
    return None


def _is_kept(place: FixSite, context: FixContext, value: cst.BaseExpression) -> bool:
    span = place.tree.span(value)
    known = domain.TOP if span is None else context.value(span)
    return all(choice is domain.KEPT_NUMBER for choice in lattice.choices(known))


def _number(code: str, value: cst.BaseExpression) -> str:
    if isinstance(value, cst.Call):
        return f"float({code})" if dotted(value.func).rpartition(".")[2] in _FLOATS else f"{code}.item()"
    return f"({code}).item()"


def _refuse_arrays(value: cst.BaseExpression, constructor: cst.FunctionDef | None) -> None:
    """A function of a number gives a number. That an argument of the constructor is one, its head or a layer tells."""
    if constructor is None:
        return
    sized = {
        arg.value.value
        for call in below(constructor, cst.Call)
        if dotted(call.func).startswith(("nn.", "torch.nn."))
        for arg in call.args
        if isinstance(arg.value, cst.Name)
    }
    known = sized | {p.name.value for p in parameters(constructor) if _is_number(p)}
    given = {p.name.value for p in parameters(constructor)}
    for name in below(value, cst.Name):
        if name.value in given - known - {"self"}:
            raise FixNotApplicable(NoFix.ARRAY_ESCAPES, f"{name.value} may be an array")


def _is_number(parameter: cst.Param) -> bool:
    if parameter.annotation is not None:
        return dotted(parameter.annotation.annotation) in ("int", "float")
    return isinstance(parameter.default, (cst.Integer, cst.Float))
