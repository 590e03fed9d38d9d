"""Lines that are there for what they do around the model, kept out of the export.

Measured on torch 2.13: strict export refuses such calls (`gc.collect()`, `t.retain_grad()`, `layer.requires_grad_(False)`),
and traces past them under `if not torch.compiler.is_exporting():`. What the model computes is the same without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.state import of_another_object
from exportdb_rules.rewrite.buffers.state_uses import (
    attribute_paths,
    functions_around,
    of_self,
    set_by_constructor,
    stored,
)
from exportdb_rules.rewrite.higher_order.operator_call import swapped
from exportdb_rules.rewrite.interface.eager_only import TITLE, exporting, in_eager
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, only_statement, statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.finding import Edit, Fix, Position
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

# What a generator draws next is of the model; a seed, and a shuffled list, are so too.
_OF_THE_MODEL: Final = ("random.", "torch.cuda.manual_seed", "torch.random.")


def effect_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """A line that is nothing but the call of the finding, under `if not torch.compiler.is_exporting():`.

    `safe`: eager does as before.
    """

    def guarded(place: FixSite) -> Iterable[Edit]:
        line = place.statement()
        call = place.call()
        small = only_statement([line])
        if call is None or not isinstance(small, cst.Expr) or small.value is not call or line is None:
            raise FixNotApplicable(NoFix.SHARED_LINE, "the line is more than the call")
        changed = side_effects(call.args)
        if dotted(call.func).startswith(_OF_THE_MODEL) or changed.names or changed.unsupported:
            raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "the model would behave differently")
        return in_eager(place, context, line)

    return make_fix(context, TITLE, Applicability.SAFE, guarded, any_types=True)


def cache_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """A buffer that is registered to be found by later calls, under `if not torch.compiler.is_exporting():`, together with those
    on the lines around it.

    `safe`: eager does as before. What the function reads of the buffer after the line is the tensor that the line registers.
    """

    def guarded(place: FixSite) -> Iterable[Edit]:
        line = place.statement()
        if line is None or place.call() is not _registration(line):
            raise FixNotApplicable(NoFix.SHARED_LINE, "the line is more than the call")
        path = place.upto(line)
        if any(isinstance(node, (cst.For, cst.While)) for node in path):
            raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "the next round finds the buffer")
        block = path[-2]
        lines = statements(block) if isinstance(block, cst.IndentedBlock) else [line]
        first = last = lines.index(line)
        while first and _registration(lines[first - 1]):
            first -= 1
        while last + 1 < len(lines) and _registration(lines[last + 1]):
            last += 1
        guard = cst.parse_expression(f"not {exporting(place, context)}")
        several = [one for one in lines[first : last + 1] if isinstance(one, cst.SimpleStatementLine)]
        inside = cst.IndentedBlock([several[0].with_changes(leading_lines=[]), *several[1:]])
        branch = cst.If(guard, inside, leading_lines=several[0].leading_lines)
        reads = [edit for one in several for edit in _reads_behind(place, one, lines[last + 1 :])]
        gone = [(one, cst.RemoveFromParent()) for one in several[1:]]
        return (*reads, *swapped(place, [(several[0], branch), *gone]))

    return make_fix(context, TITLE, Applicability.SAFE, guarded, any_types=True)


def _registration(line: cst.CSTNode) -> cst.Call | None:
    """The call of a line that does nothing but register a buffer of self."""
    small = only_statement([line])
    call = small.value if isinstance(small, cst.Expr) else None
    return call if isinstance(call, cst.Call) and dotted(call.func) == "self.register_buffer" else None


def _reads_behind(place: FixSite, line: cst.BaseStatement, behind: Sequence[cst.CSTNode]) -> list[Edit]:
    """The edits that make what the function reads of a buffer behind the line that registers it the tensor itself.

    Raises:
        FixNotApplicable: it is read where another tensor may be meant, or none be there.
    """
    call = _registration(line)
    name = call.args[0].value if call is not None and len(call.args) > 1 else None
    if call is None or not isinstance(name, cst.SimpleString) or not isinstance(name.evaluated_value, str):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the name of the buffer is computed")
    found: list[cst.BaseExpression] = []
    for read, node in attribute_paths(place, name.evaluated_value):
        if dotted(node.value) == "self" and not of_self(place, read):
            if not of_another_object(place, read):
                raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "a class of the family reads the buffer")
        elif not of_self(place, read):
            owners = lattice.choices(place.inference.value(node.value) or domain.TOP)
            if place.owner is not None and any(_is_of(one, place.owner.name.value) for one in owners):
                raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "the buffer is read from outside")
        elif functions_around(read)[-1:] != [place.function]:
            if not set_by_constructor(place, read):
                raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "another function reads the buffer")
        elif stored(read):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the buffer is also assigned")
        elif any(statement is one for statement in behind for one in read):
            found.append(node)
        elif _begins(place, node) > _begins(place, line):
            raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "the buffer is read where it may not be registered")
    value = call.args[1].value
    if found and (not isinstance(value, cst.Name) or value.value in names(behind).writes):
        raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "what is registered has no name of its own")
    return [place.tree.edit(node, place.tree.code(value)) for node in found]


def _begins(place: FixSite, node: cst.CSTNode) -> Position:
    span = place.tree.span(node)
    assert span is not None
    return span.start


def _is_of(value: domain.Value, name: str) -> bool:
    return isinstance(value, domain.Instance) and value.cls is not None and value.cls.name == name
