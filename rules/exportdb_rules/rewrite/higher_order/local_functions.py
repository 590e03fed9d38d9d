"""Branches of torch.cond that are methods, or functions of the file, as functions beside the call.

What a branch is to be changed for holds for this one call; the method may be called elsewhere too. Beside the call the
function can be changed, and closes over what is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import libcst as cst

from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branches import Builder
from exportdb_rules.rewrite.fix_site import local_names
from exportdb_rules.rewrite.higher_order.operator_call import operator_call, place_of_call, swapped
from exportdb_rules.rewrite.known.liveness import contains
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Swaps, below, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Define the branches next to the call"


def functions_to_local(context: FixContext, *, writing: bool = False) -> tuple[Fix, ...]:
    """`torch.cond(p, self.near, self.far, (x,))` with copies of the methods that are defined above it.

    `unsafe`: nothing changes but that the branches can be; a subclass may have other methods.

    Args:
        writing: only where one of them writes something in place.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, lambda place: _local(place, writing), place_of_call)


def _local(place: FixSite, writing: bool) -> Iterable[Edit]:
    call = operator_call(place, "cond")
    statement = place.statement()
    path = place.path
    if not isinstance(statement, cst.SimpleStatementLine):
        raise FixNotApplicable(NoFix.SHARED_LINE, "the call is not a part of a line")
    if not isinstance(path[path.index(statement) - 1], cst.IndentedBlock):
        raise FixNotApplicable(NoFix.SHARED_LINE, "the statement is not in a block")
    builder = Builder(place)
    found = [
        (argument, _definition(place, argument.value))
        for function, argument in zip(call.functions, call.arguments[1:3], strict=True)
        if function is None
    ]
    if not found:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the branches are defined next to the call")
    if writing and not any(_writes(function) for _, function in found):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing is written in place")
    swaps: Swaps = []
    made: list[cst.BaseStatement] = []
    taken: set[str] = set()
    for argument, function in found:
        _refuse_hidden(place, function)
        name = _name(place, builder, function, taken)
        taken.add(name)
        swaps.append((argument.value, cst.Name(name)))
        given = parameters(function)[1 if _is_method(argument.value) else 0 :]
        left = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in given]
        made.append(
            function.with_changes(
                name=cst.Name(name),
                params=function.params.with_changes(
                    posonly_params=[], posonly_ind=cst.MaybeSentinel.DEFAULT, params=left
                ),
                leading_lines=[cst.EmptyLine(indent=False)],
                lines_after_decorators=[],
            )
        )
    line = cast("cst.SimpleStatementLine", statement.visit(_Swap(swaps)))
    block = cst.ensure_type(path[path.index(statement) - 1], cst.IndentedBlock)
    if block.body[0] is statement:
        made[0] = cst.ensure_type(made[0], cst.FunctionDef).with_changes(leading_lines=[])
    leading = line.leading_lines or [cst.EmptyLine(indent=False)]
    return swapped(place, [(statement, cst.FlattenSentinel([*made, line.with_changes(leading_lines=leading)]))])


class _Swap(cst.CSTTransformer):
    def __init__(self, swaps: Swaps) -> None:
        self._new = {id(old): new for old, new in swaps}

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        return self._new.get(id(original_node), updated_node)


def _is_method(node: cst.BaseExpression) -> bool:
    return dotted(node).startswith("self.") and dotted(node).count(".") == 1


def _definition(place: FixSite, node: cst.BaseExpression) -> cst.FunctionDef:
    """The method of the class, or the function of the file, that a branch is.

    Raises:
        FixNotApplicable: there is none, or more than one could be meant.
    """
    module = place.tree.module
    if _is_method(node) and place.owner is not None:
        name = dotted(node).removeprefix("self.")
        found = [s for s in statements(place.owner.body) if isinstance(s, cst.FunctionDef) and s.name.value == name]
        base = place.owner.name.value
        heirs = [c for c in below(module, cst.ClassDef) if any(dotted(b.value) == base for b in c.bases)]
        if any(f.name.value == name for c in heirs for f in below(c, cst.FunctionDef)):
            raise FixNotApplicable(NoFix.CLASS_HIERARCHY, "a class that derives from it has another method")
        first = parameters(found[0])[:1] if found else []
        if (
            not first
            or first[0].name.value != "self"
            or "self" not in {p.name.value for p in parameters(place.function)}
        ):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a method of the class")
    elif isinstance(node, cst.Name) and node.value not in local_names(place.function):
        found = [s for s in module.body if isinstance(s, cst.FunctionDef) and s.name.value == node.value]
    else:
        found = []
    if len(found) != 1 or found[0].decorators or found[0].asynchronous is not None:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the code of a branch is elsewhere")
    function = found[0]
    p = function.params
    plain = not p.kwonly_params and p.star_kwarg is None and not isinstance(p.star_arg, cst.Param)
    if not plain or not isinstance(function.body, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported function")
    return function


def _refuse_hidden(place: FixSite, function: cst.FunctionDef) -> None:
    """Raises FixNotApplicable where the code of a function would mean something else beside the call."""
    own = local_names(function)
    free = names(function.body).reads - own
    if "super" in free or free & (local_names(place.function) - {"self"}):
        raise FixNotApplicable(NoFix.NAME_CLASH, "a name means something else next to the call")
    if contains(statements(function.body), cst.Global, cst.Nonlocal, cst.Yield, cst.Await):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported function")


def _name(place: FixSite, builder: Builder, function: cst.FunctionDef, taken: set[str]) -> str:
    """What the copy is called: as the method, where that is no name yet."""
    wanted = function.name.value.lstrip("_") or "branch"
    around = names(place.tree.module.body)
    known = around.reads | around.writes | local_names(place.function) | taken
    used = names(place.function.body).reads | names(function.body).reads | names(function.body).writes
    return wanted if wanted not in known | used else builder.name(wanted)


def _writes(function: cst.FunctionDef) -> bool:
    changed = side_effects(statements(function.body))
    return bool(changed.names - names(function.body).writes) or bool(changed.unsupported)
