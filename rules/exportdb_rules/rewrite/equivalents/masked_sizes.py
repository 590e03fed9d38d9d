"""Operators that choose their way by a size that depends on data, as others that take any number of rows.

Measured on torch 2.13, in both modes, on masks that pick no row, one, some and all: indices counted modulo the size roll
as `roll` does, a difference of slices is `diff`, slices up to a computed size are the parts of `chunk`, `split` and
`tensor_split`, a row of -inf changes no `logsumexp` and lets it have one row at least (it is written out, as its own meta function asks for
the size all the same), and rows of padding behind each
tensor make what `pad_sequence` makes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.predicate import single_value
from exportdb_rules.rewrite.branching.selection import method_of
from exportdb_rules.rewrite.equivalents.tensor_call import TensorCall, computed, literal, within
from exportdb_rules.rewrite.fix_site import FixSite
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import Number, TensorSignature, floating
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, occurrences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Use an equivalent that accepts a data-dependent row count"
TITLE_OF_PARTS: Final = "Write the rows to the places that a mask of the lengths selects"


def rows_of_any_number(context: FixContext) -> tuple[Fix, ...]:
    """The call of an operator that asks for the number of rows, as one that does not. `safe`: the same values; but for
    `logsumexp`, whose last digit may differ, and for the parts of one tensor, whose lengths have to add up."""
    summed = make_fix(context, TITLE, Applicability.UNSAFE, lambda place: _rewritten(place, ("logsumexp",)))
    padded = summed or make_fix(context, TITLE_OF_PARTS, Applicability.UNSAFE, _parts_padded)
    return padded or make_fix(context, TITLE, Applicability.SAFE, _rewritten, dtypes=True)


def _rewritten(place: FixSite, only: tuple[str, ...] = ()) -> Iterable[Edit]:
    """The edits for one of the operators, or one of `only`."""
    call = TensorCall(place, "pad_sequence")
    make = _REWRITES.get(call.name)
    if make is None or (only and call.name not in only):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not in the table")
    name = ""
    if call.tensor is not None:
        call.check_tensor(call.tensor)
        name = call.name_of(call.tensor, "rows")
    node, code = make(call, name)
    return computed(call, node, code)


def _rolled(call: TensorCall, rows: str) -> tuple[cst.CSTNode, str]:
    call.refuse_more(2, "shifts", "dims")
    axis = call.number(1, "dims")
    given = call.argument(0, "shifts")
    torch = call.place.torch
    if given is None or not isinstance(call.place.inference.infer(given, call.place.environment()), Number):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the shift is not a number")
    shift = call.place.tree.code(given)
    shift = shift if isinstance(given, (cst.Integer, cst.Name)) else f"({shift})"
    order = f"({torch}.arange({rows}.shape[{axis}], device={rows}.device) - {shift}) % {rows}.shape[{axis}]"
    return call.node, f"{rows}.index_select({axis}, {order})"


def _differences(call: TensorCall, rows: str) -> tuple[cst.CSTNode, str]:
    call.refuse_more(2, "n", "dim")
    known = call.signature()
    if call.number(0, "n", default=1) != 1 or call.number(1, "dim", default=-1) != 0:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another difference")
    if not isinstance(known, TensorSignature) or known.dtype in (None, "bool"):
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "differences of booleans are something else")
    return call.node, within(call.parent, f"{rows}[1:] - {rows}[:-1]")


def _picked(call: TensorCall) -> tuple[cst.Subscript, int]:
    """The subscript right behind the call, and the part that it picks."""
    parent = call.parent
    index = parent.slice[0].slice if isinstance(parent, cst.Subscript) and len(parent.slice) == 1 else None
    number = literal(index.value) if isinstance(index, cst.Index) else None
    if not isinstance(parent, cst.Subscript) or number is None or parent.value is not call.node:
        raise FixNotApplicable(NoFix.RESULT_USED, "more than one part is used")
    return parent, number


def _part(call: TensorCall, rows: str) -> tuple[cst.CSTNode, str]:
    size_name = {"chunk": "chunks", "split": "split_size", "tensor_split": "indices_or_sections", "unbind": ""}[
        call.name
    ]
    if call.name == "unbind":
        call.refuse_more(1, "dim")
        if call.number(0, "dim", default=0) != 0:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "parts along another dimension")
        node, index = _picked(call)
        return node, f"{rows}[{index}]"
    call.refuse_more(2, size_name, "sections", "split_size_or_sections", "dim")
    count = call.number(0, size_name, "sections", "split_size_or_sections")
    if call.number(1, "dim", default=0) != 0 or count < 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "parts along another dimension")
    if call.name == "tensor_split" and count == 2 and not isinstance(call.parent, cst.Subscript):
        half = f"({rows}.shape[0] + 1) // 2"
        return call.node, f"({rows}[: {half}], {rows}[{half} :])"
    node, index = _picked(call)
    if call.name == "split" and index == 0:
        return node, f"{rows}[:{count}]"
    if call.name != "split" and index == 0:
        return node, f"{rows}[: ({rows}.shape[0] + {count - 1}) // {count}]"
    if call.name == "tensor_split" and index in (-1, count - 1):
        return node, f"{rows}[{rows}.shape[0] - {rows}.shape[0] // {count} :]"
    # The others need not be there.
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a part that need not be there")


def _summed(call: TensorCall, rows: str) -> tuple[cst.CSTNode, str]:
    call.refuse_more(1, "dim")
    if call.number(0, "dim") != 0:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "along another dimension")
    place = call.place
    known = call.signature()
    if not isinstance(known, TensorSignature) or known.dtype is None or not floating(known.dtype):
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "the tensor may hold integers")
    low = f'{rows}.new_full((1, *{rows}.shape[1:]), float("-inf"))'
    padded = call.bind("padded", f"{place.torch}.cat([{rows}, {low}])")
    top = call.bind("largest", f"{padded}.amax(0).nan_to_num()")
    return call.node, f"(({padded} - {top}).exp().sum(0).log() + {top})"


def _padded(call: TensorCall, rows: str) -> tuple[cst.CSTNode, str]:
    call.refuse_more(3, "sequences", "batch_first", "padding_value")
    given = call.argument(0, "sequences")
    first = call.argument(1, "batch_first")
    fill = call.argument(2, "padding_value")
    place = call.place
    if not isinstance(given, (cst.List, cst.Tuple)) or not 2 <= len(given.elements) <= 4:
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the tensors are not given as a literal")
    if first is not None and dotted(first) not in ("True", "False"):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the order is not a literal")
    number = "0" if fill is None else place.tree.code(fill)
    if fill is not None and not isinstance(fill, (cst.Integer, cst.Float, cst.UnaryOperation)):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the padding is not a literal")
    _refuse_asked(call)
    names: list[str] = []
    for element in given.elements:
        if isinstance(element, cst.StarredElement):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the tensors are not given as a literal")
        call.check_tensor(element.value)
        names.append(call.name_of(element.value, "part"))
    known = [call.known(element.value) for element in given.elements]
    dtypes = {one.dtype if isinstance(one, TensorSignature) else None for one in known}
    # The result is of the first one's dtype.
    cast = "" if len(dtypes) == 1 and None not in dtypes else f".to({names[0]}.dtype)"
    longest = f"{names[0]}.shape[0]"
    for name in names[1:]:
        longest = f"{place.torch}.sym_max({longest}, {name}.shape[0])"
    length = call.bind("length", longest)
    parts = [
        f"{place.torch}.cat([{n}, {n}.new_full(({length} - {n}.shape[0], *{n}.shape[1:]), {number})])" for n in names
    ]
    axis = "" if first is not None and dotted(first) == "True" else ", 1"
    parts = [parts[0], *[f"{part}{cast}" for part in parts[1:]]]
    return call.node, f"{place.torch}.stack([{', '.join(parts)}]{axis})"


def _parts_padded(place: FixSite) -> Iterable[Edit]:
    """`pad_sequence(x.split(lengths.tolist()))`: the rows of `x` at the places of a padded tensor that are within the lengths."""
    call = TensorCall(place, "pad_sequence")
    given, fill = call.argument(0, "sequences"), call.argument(2, "padding_value")
    if call.name != "pad_sequence" or given is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not pad_sequence")
    call.refuse_more(3, "sequences", "batch_first", "padding_value")
    batch_first = call.flag(1, "batch_first")
    if fill is not None and not isinstance(fill, (cst.Integer, cst.Float, cst.UnaryOperation)):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the padding is not a literal")
    _refuse_asked(call)
    rows, lengths, whole = _cut(place, given)
    if not whole:
        # The last part is what is left.
        last = f"{rows}.shape[0] - {lengths}[:-1].sum(dim=0, keepdim=True)"
        lengths = call.bind("sizes", f"{place.torch}.cat([{lengths}[:-1], {last}])")
    length = call.bind("length", f"{lengths}.max().item()")
    kept = f"{place.torch}.arange({length}, device={lengths}.device) < {lengths}.unsqueeze(1)"
    number = "0" if fill is None else place.tree.code(fill)
    code = f"{rows}.new_full(({lengths}.shape[0], {length}, *{rows}.shape[1:]), {number})"
    code += f".index_put(({call.bind('kept', kept)},), {rows})"
    edits = [*computed(call, call.node, code if batch_first else f"{code}.transpose(0, 1)")]
    unlisted = given.args[0].value if isinstance(given, cst.Call) and given.args else given
    return [*edits, *_without_parts(place, unlisted)]


def _cut(place: FixSite, parts: cst.BaseExpression) -> tuple[str, str, bool]:
    """The tensor that is cut into parts along its first dimension, and that of their lengths, by their names; and whether
    the lengths have to add up to all rows.

    Raises:
        FixNotApplicable: the parts are no such ones, or a name may be another tensor by now.
    """
    made = _value_of(place, parts)
    if isinstance(made, cst.Call) and dotted(made.func) in ("list", "tuple") and len(made.args) == 1:
        made = _value_of(place, made.args[0].value)
    cut = method_of(place, made)
    at = _value_of(place, cut[2].positional[0]) if cut is not None and len(cut[2].positional) == 1 else None
    lengths: cst.BaseExpression | None = None
    if cut is not None and at is not None and cut[0] == "split" and not cut[2].named:
        listed = method_of(place, at)
        lengths = listed[1] if listed is not None and listed[0] == "tolist" else None
    elif cut is not None and isinstance(at, cst.Subscript) and cut[0] == "tensor_split" and not cut[2].named:
        summed = method_of(place, _value_of(place, at.value))
        along = summed[2].get(0, "dim") if summed is not None and summed[0] == "cumsum" else None
        to_last = place.tree.code(at).endswith("[:-1]")
        lengths = summed[1] if summed is not None and along is not None and literal(along) == 0 and to_last else None
    if cut is None or lengths is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not the parts of one tensor by their lengths")
    written, changed = names(place.function.body).writes, side_effects(place.function.body.body).names
    for node in (cut[1], lengths):
        stays = isinstance(node, cst.Name) and node.value not in changed
        if not isinstance(node, cst.Name) or not stays or (node.value in written and single_value(place.function, node.value) is None):  # fmt: skip
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "the tensor may be another one by now")
    return dotted(cut[1]), dotted(lengths), cut[0] == "split"


def _value_of(place: FixSite, node: cst.BaseExpression) -> cst.BaseExpression:
    """What the one assignment to a name gives it; any other expression as it is."""
    value = single_value(place.function, node.value) if isinstance(node, cst.Name) else None
    return node if value is None else value


def _without_parts(place: FixSite, node: cst.BaseExpression) -> Iterable[Edit]:
    """The edit that takes out the line which binds the parts, if they are read nowhere else."""
    uses = occurrences(place.function.body, node.value) if isinstance(node, cst.Name) else []
    lines = [line for use in uses for line in use if isinstance(line, cst.SimpleStatementLine) and isinstance(use[-2], cst.AssignTarget)]  # fmt: skip
    if len(uses) != 2 or len(lines) != 1 or len(lines[0].body) != 1 or lines[0].trailing_whitespace.comment is not None:
        return ()
    return (place.tree.without_rows(lines[0]),)


def _refuse_asked(call: TensorCall) -> None:
    """Raises FixNotApplicable where Python asks for the padded size later, which strict export could not tell it all the same."""
    target = call.parent.targets[0].target if isinstance(call.parent, cst.Assign) else None
    for use in occurrences(call.place.function.body, target.value) if isinstance(target, cst.Name) else ():
        asked = use[-2]
        if isinstance(asked, cst.Attribute) and asked.attr.value in ("shape", "size", "numel"):
            raise FixNotApplicable(NoFix.RESULT_USED, "the padded size is read")
        if isinstance(asked, cst.Arg) and isinstance(use[-3], cst.Call) and dotted(use[-3].func) == "len":
            raise FixNotApplicable(NoFix.RESULT_USED, "the padded size is read")


_REWRITES: Final[dict[str, Callable[[TensorCall, str], tuple[cst.CSTNode, str]]]] = {
    "roll": _rolled,
    "diff": _differences,
    "chunk": _part,
    "split": _part,
    "unbind": _part,
    "tensor_split": _part,
    "logsumexp": _summed,
    "pad_sequence": _padded,
}
