"""A batch normalisation in a branch of torch.cond: its statistics as results of both branches, written behind the call.

In training a batch normalisation writes its running statistics, which a branch may not. Measured on torch 2.13, in both
modes, in training and in eval mode: `batch_norm` on copies of them, which both branches return and which are given back
with `copy_` behind the call, computes and keeps what the module would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import libcst as cst

from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branches import Builder
from exportdb_rules.rewrite.higher_order.cond_writes import Call, calling, line_of
from exportdb_rules.rewrite.higher_order.operator_call import BranchFunction, operator_call, place_of_call, swapped
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Swaps, below, dotted, replace_all
from exportdb_rules.torch_api import STATEFUL_LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Return the running statistics and update them after torch.cond"

_BUFFERS: Final = {"running_mean": "mean", "running_var": "variance", "num_batches_tracked": "tracked"}


def statistics_to_results(context: FixContext) -> tuple[Fix, ...]:
    """`self.norm(x)` in a branch as `batch_norm` on copies of its statistics, which are given back behind torch.cond.

    `unsafe`: hooks of the module are not called.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _given_back, place_of_call)


def _given_back(place: FixSite) -> Iterable[Edit]:
    call = operator_call(place, "cond")
    functions = call.known_functions()
    line = line_of(place, call)
    found = [(function, one) for function in functions for one in _normalisations(place, function)]
    if len(found) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not one normalization in one branch")
    ((mine, norm),) = found
    held = dotted(norm.func)
    if any(dotted(one) == held for f in functions for s in f.block for one in below(s, cst.Attribute) if one is not norm.func):  # fmt: skip
        raise FixNotApplicable(NoFix.MODULE_STATE, "a branch uses the module in another way as well")
    builder = Builder(place)
    local = {name: builder.name(word) for name, word in _BUFFERS.items()}
    kept = [cst.parse_expression(f"{held}.{name}.clone()") for name in local]
    swaps: Swaps = []
    before: list[cst.BaseStatement] = []
    for function in functions:
        if function is mine:
            block = _on_copies(place, function, norm, held, local)
            made = _defined(builder, function, block, swaps)
            before += made
        else:
            swaps += _returning(function, kept)
    back = [f"{held}.{name}.copy_({one}{'' if name == 'num_batches_tracked' else '.detach()'})" for name, one in local.items()]  # fmt: skip
    lines = [cst.ensure_type(cst.parse_statement(code), cst.SimpleStatementLine) for code in back]
    changed = replace_all(call.node, swaps)
    written = calling(Call(call.node, changed, [*local.values()], False), line, lines, builder)
    nodes = cast("Sequence[cst.BaseStatement]", [*written])
    swaps.append((line, cst.FlattenSentinel([*before, *nodes])))
    return swapped(place, swaps)


def _normalisations(place: FixSite, function: BranchFunction) -> list[cst.Call]:
    """The calls of batch normalisations of self in a branch.

    Raises:
        FixNotApplicable: one keeps its statistics in another way, or may not be called.
    """
    found: list[cst.Call] = []
    modules = place.inference.submodules
    for statement in function.block:
        calls = [c for c in below(statement, cst.Call) if modules.stateful(dotted(c.func).removeprefix("self."))]
        for call in calls:
            name = dotted(call.func)
            made = modules.calls.get(name.removeprefix("self."))
            kind = modules.kind(name.removeprefix("self.")).rpartition(".")[2]
            options = {a.keyword.value if a.keyword else "" for a in made.args} if made is not None else {"*"}
            plain = made is not None and options <= {"", "eps", "affine"} and len([*made.args]) <= 2
            if kind not in STATEFUL_LAYERS - {"SyncBatchNorm"} or not plain or len(call.args) != 1:
                raise FixNotApplicable(NoFix.MODULE_STATE, "a normalization that keeps its statistics in another way")
            if not isinstance(statement, cst.SimpleStatementLine) or call.args[0].keyword or call.args[0].star:
                raise FixNotApplicable(NoFix.MODULE_STATE, "a normalization that may not be called")
            sometimes = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.BaseComp)
            if any(True for kind_ in sometimes for _ in below(statement, cast("type[cst.CSTNode]", kind_))):
                raise FixNotApplicable(NoFix.MODULE_STATE, "a normalization that may not be called")
            found.append(call)
    return found


def _on_copies(
    place: FixSite, function: BranchFunction, norm: cst.Call, held: str, local: dict[str, str]
) -> list[cst.BaseStatement]:
    """The statements of the branch with the module's own computation on copies of its statistics."""
    *first, last = function.block
    if any(not isinstance(s, cst.SimpleStatementLine) for s in function.block):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a branch that branches")
    mean, variance, tracked = local.values()
    given = place.tree.code(norm.args[0].value)
    code = (
        f"{place.torch}.nn.functional.batch_norm({given}, {mean}, {variance}, {held}.weight, {held}.bias, "
        f"{held}.training, {held}.momentum, {held}.eps)"
    )
    computed = cst.parse_expression(code)
    copies = [_line(f"{one} = {held}.{name}.clone()") for name, one in local.items()]
    body: list[cst.BaseStatement] = [cast("Any", replace_all(s, [(norm, computed)])) for s in (*first, last)]
    returned = cst.ensure_type(body[-1], cst.SimpleStatementLine).body[-1]
    if not isinstance(returned, cst.Return) or returned.value is None or isinstance(returned.value, cst.Tuple):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the branch does not return one value")
    whole = _line(f"return {place.tree.code(returned.value)}, {', '.join(local.values())}")
    return [*copies, *body[:-1], _line(f"{tracked} += int({held}.training)"), whole]


def _defined(
    builder: Builder, function: BranchFunction, block: list[cst.BaseStatement], swaps: Swaps
) -> list[cst.BaseStatement]:
    """A branch with other statements; of a lambda the function that takes its place, to be defined before the call."""
    if isinstance(function.node, cst.FunctionDef):
        swaps += function.with_block(block)
        return []
    name = builder.name("normalised")
    given = cst.Parameters([cst.Param(cst.Name(n)) for n in function.parameters])
    swaps.append((function.node, cst.Name(name)))
    return [cst.FunctionDef(cst.Name(name), given, cst.IndentedBlock(block))]


def _returning(function: BranchFunction, kept: Sequence[cst.BaseExpression]) -> Swaps:
    """The other branch, with the statistics as they are behind its result."""
    values = function.returned
    if len(values) != 1 or values[0] is None or isinstance(values[0], cst.Tuple):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the branch does not return one value")
    (value,) = values
    assert value is not None
    every = cst.Tuple([cst.Element(v) for v in (value, *kept)])
    if isinstance(function.node, cst.FunctionDef):
        return [(value, every.with_changes(lpar=[], rpar=[]))]
    return [(function.node.body, every)]


def _line(code: str) -> cst.SimpleStatementLine:
    return cst.ensure_type(cst.parse_statement(code), cst.SimpleStatementLine)
