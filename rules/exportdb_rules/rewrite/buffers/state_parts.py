"""State that is a tuple of tensors, as a buffer for each of them: `y, self.hidden = self.lstm(x, self.hidden)`.

Measured on torch 2.13: a tuple in an attribute is lost in the exported program, as a tensor there is; buffers that are written in
place are kept, in both modes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.state import (
    attribute_of_self,
    in_class,
    is_own,
    made_in_constructor,
    of_another_object,
    registered,
    uses_of,
)
from exportdb_rules.rewrite.buffers.state_uses import (
    Path,
    State,
    attribute_paths,
    copied,
    line_of_assignment,
    plain_tensor,
    refuse_identity,
    refuse_unfit,
    signatures_of_state,
    through_names,
    unpacked,
)
from exportdb_rules.rewrite.fix_site import new_name
from exportdb_rules.rewrite.known.signature import Items, TensorSignature
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Store the tensors of `self.{name}` in buffers"


def tuple_to_buffers(context: FixContext) -> tuple[Fix, ...]:
    """The fix for `y, self.hidden = self.lstm(x, self.hidden)`: a buffer for each tensor of the tuple, made where the constructor
    makes the tuple, and written in place everywhere else in the class.

    Always `unsafe`: the attribute is gone, and its tensors are written in place.
    """
    return make_fix(
        context, lambda place: TITLE.format(name=attribute_of_self(place)), Applicability.UNSAFE, _kept, in_class
    )


@dataclass(frozen=True, eq=False)
class _Parts:
    """The tuple that an attribute of self is at first, and the buffers that its tensors go to."""

    name: str
    first: cst.Tuple
    buffers: tuple[str, ...]

    @property
    def state(self) -> State:
        return State(lambda node: is_own(node, self.name), self.name)


def _kept(place: FixSite) -> Iterable[Edit]:
    """The edits; none for state that is no tuple of plain tensors, of which the fix for a single tensor says why."""
    name = attribute_of_self(place)
    made = made_in_constructor(place, name)
    first = made.value if isinstance(made.value, cst.Tuple) else _returned(place, made.value)
    if first is None or not first.elements or not all(plain_tensor(place, e.value) for e in first.elements):
        return ()
    parts = _Parts(name, first, tuple([f"{name}_{i}" for i in range(len(first.elements))]))
    taken = [path for buffer in parts.buffers for path, _ in attribute_paths(place, buffer)]
    if not all(of_another_object(place, path) for path in taken):
        raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "an attribute has the name of a buffer")
    use = uses_of(place, name)
    edits = [edit for path in use.writes for edit in _written(place, path, parts)]
    edits += [_read(place, path, parts) for path in use.reads]
    codes, lines = [place.tree.code(element.value) for element in first.elements], list[str]()
    if first is not made.value:
        codes = [new_name(place, buffer) for buffer in parts.buffers]
        lines = [f"{_several(codes)} = {place.tree.code(made.value)}"]
    lines += [registered(buffer, code) for buffer, code in zip(parts.buffers, codes, strict=True)]
    edits.append(made.replaced(place, lines))
    return edits


def _returned(place: FixSite, value: cst.BaseExpression) -> cst.Tuple | None:
    """The tuple that a method of self gives which does nothing but return it: `self.init_hidden()`."""
    name = dotted(value.func) if isinstance(value, cst.Call) else ""
    method = place.inference.submodules.methods.get(name.removeprefix("self.")) if name.startswith("self.") else None
    lines = [*statements(method.body)] if method is not None and not method.decorators else []
    small = [one for line in lines if isinstance(line, cst.SimpleStatementLine) for one in line.body]
    returned = small[-1].value if small and isinstance(small[-1], cst.Return) else None
    plain = all(isinstance(one, cst.Expr) and isinstance(one.value, cst.SimpleString) for one in small[:-1])
    return returned if isinstance(returned, cst.Tuple) and plain and len(small) == len(lines) else None


def _several(codes: Sequence[str]) -> str:
    """The code of a tuple, without brackets around it."""
    return ", ".join(codes) + ("," if len(codes) == 1 else "")


def _read(place: FixSite, path: Path, parts: _Parts) -> Edit:
    """The edit that makes a read one of the buffers: of one where an element is picked, else of a tuple of all."""
    refuse_identity(path)
    codes = [f"self.{buffer}{copied(place, path, parts.state)}" for buffer in parts.buffers]
    around = path[-2]
    picked = around.slice[0].slice if isinstance(around, cst.Subscript) and around.value is path[-1] else None
    number = picked.value if isinstance(picked, cst.Index) else None
    if isinstance(around, cst.Subscript) and isinstance(number, cst.Integer) and len(around.slice) == 1:
        if number.evaluated_value >= len(codes):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "there is no such element")
        return place.tree.edit(around, codes[number.evaluated_value])
    bare = isinstance(around, cst.Assign)
    return place.tree.edit(path[-1], _several(codes) if bare else f"({_several(codes)})")


def _written(place: FixSite, path: Path, parts: _Parts) -> tuple[Edit, ...]:
    """The edits that make a write one of the buffers: the tensors become local names, from which lines behind write them.

    Raises:
        FixNotApplicable: what is written is not sure to fit.
    """
    first = place.inference.infer(parts.first, {})
    made = [one for one in first.items if isinstance(one, TensorSignature)] if isinstance(first, Items) else []
    if len(made) != len(parts.buffers):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what the tuple holds at first")
    shared = [
        replace(tensor, storages=frozenset((f"self.{buffer}",)))
        for tensor, buffer in zip(made, parts.buffers, strict=True)
    ]
    inference, env = signatures_of_state(place, path, Items("tuple", tuple(shared)), parts.state)
    assign, _ = line_of_assignment(path)
    alone = isinstance(path[-2], cst.AssignTarget)
    value = inference.infer(assign.value, env) if alone else unpacked(path, inference, env)
    if not isinstance(value, Items) or value.kind not in ("tuple", "list") or len(value.items) != len(parts.buffers):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what is written")
    for item, tensor, buffer in zip(value.items, shared, parts.buffers, strict=True):
        refuse_unfit(place, item, False, env, tensor, replace(parts.state, buffer=buffer))
    given = [e.value for e in assign.value.elements] if alone and isinstance(assign.value, cst.Tuple) else []
    span = place.tree.span(assign)
    if span is not None and given and all(isinstance(one, cst.Name) for one in given):
        pairs = zip(parts.buffers, given, strict=True)
        copies = [f"self.{buffer}.copy_({place.tree.code(one)})" for buffer, one in pairs]
        return (Edit(span, ("\n" + " " * (span.start.column - 1)).join(copies)),)
    return through_names(place, path, parts.buffers, _several if alone else lambda names: f"({_several(names)})")
