"""Lists that a loop fills until it is left: all rounds fill them, and a count says how many elements are meant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.looping.collected import Collected, collected, joined
from exportdb_rules.rewrite.looping.loop_heads import line
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.branching.branch_lowering import Statements
    from exportdb_rules.rewrite.branching.branches import Builder
    from exportdb_rules.rewrite.fix_site import FixSite


@dataclass(frozen=True)
class Grown:
    """A list, the name of what a round puts into it, and of the tensor that counts."""

    one: Collected
    item: str
    count: str

    def appended(self) -> cst.BaseStatement:
        """The line that fills the list in every round."""
        return line(f"{self.one.name}.append({self.item})")

    def joined(self, place: FixSite) -> cst.BaseExpression:
        """What puts the elements together, as many as are meant."""
        begun = f"{len(self.one.begun)} + " if self.one.begun else ""
        rows = f"{place.torch}.stack({self.one.name})[:{begun}{self.count}.item()]"
        return joined(place, replace(self.one, begun=()), rows)


def grown(place: FixSite, builder: Builder, loop: cst.For) -> list[Grown]:
    """The lists that a loop fills; none where it fills none. Raises FixNotApplicable where one is used in another way as well."""
    if not any(_appends(statement) for statement in statements(loop.body)):
        return []
    found = collected(place, loop)
    for one in found:
        if sum(1 for call in below(loop, cst.Call) if dotted(call.func) == f"{one.name}.append") != 1:
            raise FixNotApplicable("a list is filled from deeper within")
    return [Grown(one, builder.name("item"), builder.name("count")) for one in found]


def _appends(statement: cst.BaseStatement) -> str:
    only = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    called = only.value if isinstance(only, cst.Expr) else None
    name, _, method = dotted(called.func).rpartition(".") if isinstance(called, cst.Call) else ("", "", "")
    return name if method == "append" else ""


def with_items(block: Statements, lists: list[Grown]) -> Statements:
    """The statements of a round with names for what goes into the lists, and the counting, in the place of `append`."""
    named = {one.one.name: one for one in lists}
    done: Statements = []
    for statement in block:
        one = named.get(_appends(statement))
        if one is None:
            done.append(statement)
            continue
        kept = cst.ensure_type(statement, cst.SimpleStatementLine)
        value = cst.ensure_type(cst.ensure_type(kept.body[0], cst.Expr).value, cst.Call).args[0].value
        item = cst.Assign([cst.AssignTarget(cst.Name(one.item))], value)
        done += [kept.with_changes(body=[item]), line(f"{one.count} = {one.count} + 1")]
    return done
