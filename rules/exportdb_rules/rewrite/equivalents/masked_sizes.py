"""`pad_sequence` of the parts of one tensor, whose sizes depend on data, as rows that a mask of the lengths places.

Measured on torch 2.13, in both modes, with parts of no row, one and all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.predicate import single_value
from exportdb_rules.rewrite.branching.selection import method_of
from exportdb_rules.rewrite.equivalents.tensor_call import TensorCall, computed
from exportdb_rules.rewrite.fix_site import FixSite
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, occurrences, signed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext

TITLE_OF_PARTS: Final = "Write the rows to the places that a mask of the lengths selects"


def parts_padded(context: FixContext) -> tuple[Fix, ...]:
    """The parts of one tensor, padded by a mask of their lengths. `unsafe`: the lengths have to add up."""
    return make_fix(context, TITLE_OF_PARTS, Applicability.UNSAFE, _parts_padded)


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
        lengths = summed[1] if summed is not None and along is not None and signed(along) == 0 and to_last else None
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
