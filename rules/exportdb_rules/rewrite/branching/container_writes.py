"""Lists and dicts to which each side of a branch gives a value: the sides bind names, and the lines behind them write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.fix_site import new_name
from exportdb_rules.rewrite.known.liveness import contains
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, only_statement, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.fix_site import FixSite


def given_behind(place: FixSite, branch: cst.If) -> tuple[cst.If, list[cst.BaseStatement], frozenset[str]]:
    """An `if` whose sides give to the same lists and dicts, as one that binds names, and what gives these behind it.

    `outs.append(a)` on one side and `outs.append(b)` on the other become `item = a` and `item = b`, with
    `outs.append(item)` behind. The third are the names; any other `if` comes back as it is.
    """
    try:
        sides = _sides(branch)
    except FixNotApplicable:
        return branch, [], frozenset()
    given = [[(s, found) for s in side if (found := _gives(place, s)) is not None] for side in sides]
    kinds = [[code for _, (code, _) in side] for side in given]
    if not kinds[0] or any(kind != kinds[0] for kind in kinds) or len({*kinds[0]}) != len(kinds[0]):
        return branch, [], frozenset()
    holders = {code.partition("[")[0].removesuffix(".append(") for code in kinds[0]}
    uses = sum(dotted(node) in holders for node in below(branch, cst.BaseExpression))
    names = [new_name(place, _name(code)) for code in kinds[0]]
    early = any(contains(side, cst.Return, cst.Raise, cst.Break, cst.Continue, cst.Yield, cst.Await) for side in sides)
    if early or uses != len(sides) * len(kinds[0]) or len({*names}) != len(names):
        return branch, [], frozenset()
    swaps: dict[int, cst.BaseStatement] = {}
    for side in given:
        for name, (statement, (_, value)) in zip(names, side, strict=True):
            line = cst.ensure_type(statement, cst.SimpleStatementLine)
            bound = cst.Assign([cst.AssignTarget(cst.Name(name))], value)
            swaps[id(statement)] = line.with_changes(body=[bound])
    behind = [
        cst.ensure_type(cst.parse_statement(f"{code}{name})" if code[-1] == "(" else f"{code} = {name}"), cst.BaseStatement)
        for code, name in zip(kinds[0], names, strict=True)
    ]  # fmt: skip
    return _swapped(branch, swaps), behind, frozenset(names)


def _swapped(branch: cst.If, swaps: dict[int, cst.BaseStatement]) -> cst.If:
    """The `if` with lines of its sides replaced; all other nodes are those that they were."""

    def block(body: cst.BaseSuite) -> cst.BaseSuite:
        return body.with_changes(body=[swaps.get(id(s), s) for s in statements(body)])

    other = branch.orelse
    if isinstance(other, cst.If):
        other = _swapped(other, swaps)
    elif other is not None:
        other = other.with_changes(body=block(other.body))
    return branch.with_changes(body=block(branch.body), orelse=other)


def _sides(branch: cst.If) -> list[list[cst.BaseStatement]]:
    """The blocks of an `if`, of what `elif` adds to it, and of its `else`.

    Raises:
        FixNotApplicable: it has no `else`.
    """
    found: list[list[cst.BaseStatement]] = []
    node: cst.If | cst.Else | None = branch
    while node is not None:
        found.append(statements(node.body))
        if isinstance(node, cst.Else):
            return found
        node = node.orelse
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no `else`")


def _gives(place: FixSite, statement: cst.BaseStatement) -> tuple[str, cst.BaseExpression] | None:
    """The code of what a line gives a value to, and the value; None where the line does something else."""
    small = only_statement([statement])
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) and len(small.value.args) == 1:
        method, (arg,) = small.value.func, small.value.args
        if isinstance(method, cst.Attribute) and method.attr.value == "append" and not arg.star:
            held = arg.keyword is None and _holds(place, method.value, lattice.Sequence)
            return (f"{dotted(method.value)}.append(", arg.value) if held else None
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        target = small.targets[0].target
        if (
            isinstance(target, cst.Subscript)
            and _holds(place, target.value, lattice.Mapping)
            and len(target.slice) == 1
        ):
            index = target.slice[0].slice
            key = index.value if isinstance(index, cst.Index) else None
            if isinstance(key, (cst.SimpleString, cst.Integer)):
                return place.tree.code(target), small.value
    return None


def _holds(place: FixSite, node: cst.BaseExpression, kind: type[domain.Value]) -> bool:
    """Whether an expression with a name is a list or a dict of Python."""
    kinds = place.inference.kinds(node)
    return bool(dotted(node)) and bool(kinds) and all(isinstance(c, kind) for c in kinds)


def _name(code: str) -> str:
    if code.endswith("("):
        return "item"
    word = "".join(c for c in code.partition("[")[2] if c.isalnum() or c == "_")
    return word if word.isidentifier() else "item"
