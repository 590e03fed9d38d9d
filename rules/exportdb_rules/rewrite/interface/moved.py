"""A module that forward converts to the dtype or the device of an input: in eager as before, checked under export.

Measured on torch 2.13: non-strict export cannot swap the parameters for others. What it exports must have been moved
before; that is checked while tracing, so that no export of another module passes unseen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.interface.eager_only import exporting
from exportdb_rules.rewrite.known.signature import TensorSignature
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Move the module in eager only, and assert its dtype and device under export"


def move_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """`self.layer.to(x.dtype)` as a line that export does not see, with a check in its place.

    `safe`: eager does as before, and export could not do it.
    """

    def guarded(place: FixSite) -> Iterable[Edit]:
        return replaced(place.tree, *_guarded(place, context))

    return make_fix(context, TITLE, Applicability.SAFE, guarded, any_types=True)


def _guarded(place: FixSite, context: FixContext) -> tuple[cst.CSTNode, cst.CSTNode]:
    call, line = place.node, place.statement()
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise FixNotApplicable(NoFix.SHARED_LINE, "several statements on one line")
    small = line.body[0]
    if not isinstance(small, cst.Expr) or small.value is not call or not isinstance(call, cst.Call):
        raise FixNotApplicable(NoFix.RESULT_USED, "what the call gives is used")
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "to" or len(call.args) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another way to move")
    module, given = dotted(call.func.value), call.args[0]
    if not module.startswith("self.") or given.star or given.keyword is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another way to move")
    word = "parameter"
    checks = [f"{word}.{name} == {code}" for name, code in _wanted(place, given.value)]
    test = f"all({' and '.join(checks)} for {word} in {module}.parameters())"
    text = (
        f"if {exporting(place, context)}:\n"
        f'    assert {test}, "move {module} before the export"\n'
        f"else:\n    {place.tree.code(call)}\n"
    )
    made = cst.ensure_type(cst.parse_statement(text, place.tree.module.config_for_parsing), cst.If)
    other = cst.ensure_type(made.orelse, cst.Else)
    body = cst.IndentedBlock([line.with_changes(leading_lines=[])])
    return line, made.with_changes(leading_lines=line.leading_lines, orelse=other.with_changes(body=body))


def _wanted(place: FixSite, node: cst.BaseExpression) -> list[tuple[str, str]]:
    """What the parameters shall have, and from which expression: `x.dtype`, `x.device`, or both of `x`."""
    env = place.environment()
    code = place.tree.code(node)
    if isinstance(node, cst.Attribute) and node.attr.value in ("dtype", "device") and dotted(node.value):
        if isinstance(place.inference.infer(node.value, dict(env)), TensorSignature):
            return [(node.attr.value, code)]
    elif dotted(node) and isinstance(place.inference.infer(node, dict(env)), TensorSignature):
        return [("dtype", f"{code}.dtype"), ("device", f"{code}.device")]
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not the dtype or device of a tensor")
