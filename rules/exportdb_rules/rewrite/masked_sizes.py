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

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.mutation import only_computes
from exportdb_rules.rewrite.offer import offered
from exportdb_rules.rewrite.place import Place, always_computed, lines_before, new_name
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.signature import Number, Tensor, floating
from exportdb_rules.rewrite.tree import dotted, integer, occurrences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.signature import Signature

TITLE: Final = "Compute it for any number of rows"


def rows_of_any_number(context: FixContext) -> tuple[Fix, ...]:
    """The call of an operator that asks for the number of rows, as one that does not. `safe`: the same values."""
    return offered(context, TITLE, Applicability.SAFE, _rewritten)


class _Call:
    """A call of an operator: the tensor that it is of, by name, and its other arguments."""

    def __init__(self, place: Place) -> None:
        call = next((n for n in reversed(place.path) if isinstance(n, cst.Call)), None)
        if call is None or any(a.star for a in call.args):
            raise Refused("no plain call")
        self.place, self.node = place, call
        at = place.path.index(call)
        self.parent, self.above = place.path[at - 1], place.path[at - 2]
        self.positional = [a.value for a in call.args if a.keyword is None]
        self.named = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
        self.function = dotted(call.func)
        self.name = self.function.rpartition(".")[2]
        self.tensor: cst.BaseExpression | None = None
        if isinstance(call.func, cst.Attribute) and not self.function.startswith(
            (f"{place.torch}.", "F.", "nn.", "rnn.")
        ):
            self.name, self.tensor = call.func.attr.value, call.func.value
        elif self.name != "pad_sequence" and self.positional:
            self.tensor = self.positional.pop(0)

    def argument(self, index: int, *names: str) -> cst.BaseExpression | None:
        """An argument behind the tensor, by its place or one of its names."""
        if index < len(self.positional):
            return self.positional[index]
        return next((self.named[name] for name in names if name in self.named), None)

    def number(self, index: int, *names: str, default: int | None = None) -> int:
        """An argument that is a literal integer."""
        given = self.argument(index, *names)
        value = default if given is None else _literal(given)
        if value is None:
            raise Refused("an argument that is not written out")
        return value

    def signature(self) -> Signature | None:
        """What is known of the tensor."""
        return None if self.tensor is None else self.place.inference.infer(self.tensor, self.place.environment())

    def refuse_more(self, count: int, *names: str) -> None:
        """Raises Refused where the call has other arguments than these."""
        if len(self.positional) > count or not self.named.keys() <= {*names}:
            raise Refused("unusual arguments")


def _literal(node: cst.BaseExpression) -> int | None:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = _literal(node.expression)
        return None if inner is None else -inner
    return integer(node)


def _rewritten(place: Place) -> Iterable[Edit]:
    call = _Call(place)
    make = _REWRITES.get(call.name)
    if make is None or not always_computed(place):
        raise Refused("not in the table")
    lines: list[str] = []
    name = ""
    if call.tensor is not None:
        _check_tensor(place, call.tensor)
        name = dotted(call.tensor)
        if not isinstance(call.tensor, cst.Name):
            name = new_name(place, "rows")
            lines.append(f"{name} = {place.tree.code(call.tensor)}")
    node, code = make(call, name, lines)
    span = place.tree.span(node)
    assert span is not None
    if not lines:
        return (Edit(span, code),)
    line = place.statement()
    if line is None or not only_computes(line):
        raise Refused("the line changes something as well")
    return lines_before(place, lines), Edit(span, code)


def _check_tensor(place: Place, node: cst.BaseExpression) -> None:
    known = place.inference.infer(node, place.environment())
    value = place.inference.value(node)
    kinds = domain.choices(value) if value is not None else ()
    if not isinstance(known, Tensor) and not (kinds and all(type(c) is domain.Tensor for c in kinds)):
        raise Refused("no tensor")


def _rolled(call: _Call, rows: str, lines: list[str]) -> tuple[cst.CSTNode, str]:
    call.refuse_more(2, "shifts", "dims")
    axis = call.number(1, "dims")
    given = call.argument(0, "shifts")
    torch = call.place.torch
    if given is None or not isinstance(call.place.inference.infer(given, call.place.environment()), Number):
        raise Refused("the shift is no number")
    shift = call.place.tree.code(given)
    shift = shift if isinstance(given, (cst.Integer, cst.Name)) else f"({shift})"
    order = f"({torch}.arange({rows}.shape[{axis}], device={rows}.device) - {shift}) % {rows}.shape[{axis}]"
    return call.node, f"{rows}.index_select({axis}, {order})"


def _differences(call: _Call, rows: str, lines: list[str]) -> tuple[cst.CSTNode, str]:
    call.refuse_more(2, "n", "dim")
    known = call.signature()
    if call.number(0, "n", default=1) != 1 or call.number(1, "dim", default=-1) != 0:
        raise Refused("another difference")
    if not isinstance(known, Tensor) or known.dtype in (None, "bool"):
        raise Refused("differences of booleans are something else")
    loose = isinstance(call.parent, (cst.Attribute, cst.Subscript, cst.BinaryOperation, cst.UnaryOperation))
    code = f"{rows}[1:] - {rows}[:-1]"
    return call.node, f"({code})" if loose else code


def _picked(call: _Call) -> tuple[cst.Subscript, int]:
    """The subscript right behind the call, and the part that it picks."""
    parent = call.parent
    index = parent.slice[0].slice if isinstance(parent, cst.Subscript) and len(parent.slice) == 1 else None
    number = _literal(index.value) if isinstance(index, cst.Index) else None
    if not isinstance(parent, cst.Subscript) or number is None or parent.value is not call.node:
        raise Refused("more than one part is used")
    return parent, number


def _part(call: _Call, rows: str, lines: list[str]) -> tuple[cst.CSTNode, str]:
    size_name = {"chunk": "chunks", "split": "split_size", "tensor_split": "indices_or_sections", "unbind": ""}[
        call.name
    ]
    if call.name == "unbind":
        call.refuse_more(1, "dim")
        if call.number(0, "dim", default=0) != 0:
            raise Refused("parts along another dimension")
        node, index = _picked(call)
        return node, f"{rows}[{index}]"
    call.refuse_more(2, size_name, "sections", "split_size_or_sections", "dim")
    count = call.number(0, size_name, "sections", "split_size_or_sections")
    if call.number(1, "dim", default=0) != 0 or count < 1:
        raise Refused("parts along another dimension")
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
    raise Refused("a part that need not be there")


def _summed(call: _Call, rows: str, lines: list[str]) -> tuple[cst.CSTNode, str]:
    call.refuse_more(1, "dim")
    if call.number(0, "dim") != 0:
        raise Refused("along another dimension")
    place = call.place
    known = call.signature()
    if not isinstance(known, Tensor) or known.dtype is None or not floating(known.dtype):
        raise Refused("the tensor may hold integers")
    padded, top = _another(place, "padded", lines), _another(place, "largest", lines)
    low = f'{rows}.new_full((1, *{rows}.shape[1:]), float("-inf"))'
    lines.append(f"{padded} = {place.torch}.cat([{rows}, {low}])")
    lines.append(f"{top} = {padded}.amax(0).nan_to_num()")
    return call.node, f"(({padded} - {top}).exp().sum(0).log() + {top})"


def _padded(call: _Call, rows: str, lines: list[str]) -> tuple[cst.CSTNode, str]:
    call.refuse_more(3, "sequences", "batch_first", "padding_value")
    given = call.argument(0, "sequences")
    first = call.argument(1, "batch_first")
    fill = call.argument(2, "padding_value")
    place = call.place
    if not isinstance(given, (cst.List, cst.Tuple)) or not 2 <= len(given.elements) <= 4:
        raise Refused("the tensors are not written out")
    if first is not None and dotted(first) not in ("True", "False"):
        raise Refused("the order is not written out")
    number = "0" if fill is None else place.tree.code(fill)
    if fill is not None and not isinstance(fill, (cst.Integer, cst.Float, cst.UnaryOperation)):
        raise Refused("the padding is not written out")
    _refuse_asked(call)
    names: list[str] = []
    for element in given.elements:
        if isinstance(element, cst.StarredElement):
            raise Refused("the tensors are not written out")
        _check_tensor(place, element.value)
        name = dotted(element.value)
        if not isinstance(element.value, cst.Name):
            name = _another(place, "part", [*lines, *names])
            lines.append(f"{name} = {place.tree.code(element.value)}")
        names.append(name)
    length = _another(place, "length", lines)
    longest = f"{names[0]}.shape[0]"
    for name in names[1:]:
        longest = f"{place.torch}.sym_max({longest}, {name}.shape[0])"
    lines.append(f"{length} = {longest}")
    parts = [
        f"{place.torch}.cat([{n}, {n}.new_full(({length} - {n}.shape[0], *{n}.shape[1:]), {number})])" for n in names
    ]
    axis = "" if first is not None and dotted(first) == "True" else ", 1"
    return call.node, f"{place.torch}.stack([{', '.join(parts)}]{axis})"


def _refuse_asked(call: _Call) -> None:
    """Raises Refused where Python asks for the padded size later, which strict export could not tell it all the same."""
    target = call.parent.targets[0].target if isinstance(call.parent, cst.Assign) else None
    for use in occurrences(call.place.function.body, target.value) if isinstance(target, cst.Name) else ():
        asked = use[-2]
        if isinstance(asked, cst.Attribute) and asked.attr.value in ("shape", "size", "numel"):
            raise Refused("the padded size is asked for")
        if isinstance(asked, cst.Arg) and isinstance(use[-3], cst.Call) and dotted(use[-3].func) == "len":
            raise Refused("the padded size is asked for")


def _another(place: Place, wanted: str, taken: list[str]) -> str:
    """A name that neither the text nor the new code has."""
    used = {line.partition(" = ")[0] for line in taken}
    name, number = new_name(place, wanted), 1
    while name in used:
        number += 1
        name = new_name(place, f"{wanted}_{number}")
    return name


_REWRITES: Final[dict[str, Callable[[_Call, str, list[str]], tuple[cst.CSTNode, str]]]] = {
    "roll": _rolled,
    "diff": _differences,
    "chunk": _part,
    "split": _part,
    "unbind": _part,
    "tensor_split": _part,
    "logsumexp": _summed,
    "pad_sequence": _padded,
}
