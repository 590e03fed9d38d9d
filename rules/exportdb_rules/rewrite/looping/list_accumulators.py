"""Lists that a loop fills, one element an iteration, and that become one tensor after it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import (
    below,
    dotted,
    integer,
    line,
    occurrences,
    only_statement,
    replace_all,
    statements,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.branching.branch_lowering import Statements
    from exportdb_rules.rewrite.branching.branches import Builder
    from exportdb_rules.rewrite.fix_site import FixSite


@dataclass(frozen=True, eq=False)
class ListAccumulator:
    """`outs = []` before a loop, `outs.append(…)` in it, and the call of `torch.stack` or `torch.cat` after it.

    `initial` are the elements that the list has before the loop. `dimension` is the one that the results are put together
    along; `stacked` says that they get it anew.
    """

    name: str
    made: cst.BaseStatement
    call: cst.Call
    initial: Sequence[cst.BaseExpression]
    dimension: int
    stacked: bool


def list_accumulators(place: FixSite, loop: cst.For) -> list[ListAccumulator]:
    """The lists that a loop fills. Raises FixNotApplicable where it fills none, or one is used in another way as well."""
    parent = place.upto(loop)[-2]
    block = statements(parent) if isinstance(parent, cst.IndentedBlock) else []
    found: list[ListAccumulator] = []
    for statement in statements(loop.body):
        only = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        if not isinstance(only, cst.Expr) or not isinstance(only.value, cst.Call):
            continue
        name, _, method = dotted(only.value.func).rpartition(".")
        arguments = only.value.args
        if method == "append" and name.isidentifier() and len(arguments) == 1 and not arguments[0].star:
            found.append(_used(place, block, block.index(loop), name))
    own = {one.name for one in found}
    if not found or len(own) != len(found) or any(_lists(one.made).keys() - own for one in found):
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "the loop fills no list, or one twice per iteration")
    return found


def _used(place: FixSite, block: Statements, at: int, name: str) -> ListAccumulator:
    made = next((s for s in block[:at] if name in _lists(s)), None)
    paths = occurrences(place.function.body, name)
    use = next((s for s in block[at + 1 :] if any(s in path for path in paths)), None)
    if made is None or use is None:
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "the list is not used after the loop")
    rest = [path for path in paths if use in path]
    if _binds_anew(use, name):
        # `outs = torch.stack(outs)`: what follows speaks of the tensor.
        rest = [path for path in rest if not isinstance(path[-2], cst.AssignTarget)]
        paths = [path for path in paths if not any(s in path for s in block[block.index(use) + 1 :])]
        paths = [path for path in paths if use not in path or path in rest]
    if len(rest) != 1 or len(paths) != 3:
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "the list is used in another way as well")
    (path,) = rest
    if any(
        isinstance(n, (cst.For, cst.While, cst.FunctionDef, cst.Lambda, cst.ListComp)) for n in path[path.index(use) :]
    ):
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "the list is used in a loop or a function")
    call = path[-3]
    if not isinstance(call, cst.Call) or not isinstance(path[-2], cst.Arg) or call.args[0] is not path[-2]:
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "the list is used in another way as well")
    kind = dotted(call.func).removeprefix(f"{place.torch}.")
    if kind not in ("stack", "cat", "concat"):
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "the list is used in another way as well")
    value = _lists(made)[name]
    initial = [e.value for e in value.elements] if isinstance(value, cst.List) else []
    if initial and kind != "stack":
        raise FixNotApplicable(NoFix.LOOP_RESULTS, "the list does not begin empty, and is not stacked")
    return ListAccumulator(name, made, call, initial, _dimension(call.args[1:]), kind == "stack")


def _binds_anew(statement: cst.BaseStatement, name: str) -> bool:
    only = only_statement([statement])
    return isinstance(only, cst.Assign) and len(only.targets) == 1 and dotted(only.targets[0].target) == name


def _lists(statement: cst.BaseStatement) -> dict[str, cst.BaseExpression]:
    """The names that a line binds to lists, if it does nothing else: `a = []`, `a = [h]`, `a, b = [], []`."""
    only = only_statement([statement])
    if isinstance(only, cst.AnnAssign):
        pairs = [(only.target, only.value)]
    elif isinstance(only, cst.Assign) and len(only.targets) == 1:
        target, value = only.targets[0].target, only.value
        pairs = [(target, value)]
        if (
            isinstance(target, cst.Tuple)
            and isinstance(value, cst.Tuple)
            and len(target.elements) == len(value.elements)
        ):
            pairs = [(a.value, b.value) for a, b in zip(target.elements, value.elements, strict=True)]
    else:
        return {}
    found = {target.value: value for target, value in pairs if isinstance(target, cst.Name) and _listed(value)}
    return {name: value for name, value in found.items() if value is not None} if len(found) == len(pairs) else {}


def _listed(node: cst.BaseExpression | None) -> bool:
    called = isinstance(node, cst.Call) and dotted(node.func) == "list" and not node.args
    return called or (isinstance(node, cst.List) and not any(isinstance(e, cst.StarredElement) for e in node.elements))


def joined(place: FixSite, one: ListAccumulator, rows: str) -> cst.BaseExpression:
    """`torch.stack(outs, dim)` and `torch.cat(outs, dim)`, where `rows` names results that lie one below the other already.

    If the list had elements before the loop, and has another name than the rows, it still holds these.
    """
    name, dimension = rows, one.dimension
    # The results of an operator may not be written in place, a copy of them may.
    own = "clone()" if writes_in_place(place) else ""
    if one.initial and rows != one.name:
        name = f"{place.torch}.cat([{place.torch}.stack({one.name}), {rows}])"
        own = ""
    if one.stacked:
        # What torch.stack gives has no gaps, and somebody may ask for a view of it.
        code = name if dimension == 0 else f"{name}.movedim(0, {dimension})"
        if own and dimension:
            own = f"clone(memory_format={place.torch}.contiguous_format)"
        last = own or ("contiguous()" if dimension else "")
        code += f".{last}" if last else ""
    else:
        code = f"{name}.flatten(0, 1)"
        if dimension > 0:
            code = f"{name}.movedim(0, {dimension}).flatten({dimension}, {dimension + 1})"
        elif dimension < 0:
            code = f"{name}.movedim(0, {dimension - 1}).flatten({dimension - 1}, {dimension})"
        code += f".{own}" if own else ""
    return cst.parse_expression(code)


def writes_in_place(place: FixSite) -> bool:
    """Whether the function writes any tensor in place."""
    return bool(side_effects(statements(place.function.body)).names)


def _dimension(arguments: Sequence[cst.Arg]) -> int:
    if not arguments:
        return 0
    (first, *more) = arguments
    keyword = first.keyword.value if first.keyword is not None else "dim"
    value = first.value
    negative = isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus)
    number = integer(value.expression if isinstance(value, cst.UnaryOperation) and negative else value)
    if more or keyword not in ("dim", "axis") or first.star or number is None:
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "an unsupported dimension")
    return -number if negative else number


def without_lists(
    place: FixSite,
    block: cst.IndentedBlock,
    loop: cst.For,
    done: Statements,
    lists: Sequence[ListAccumulator],
    rows: Sequence[str],
) -> Statements:
    """The statements of a block with `done` in the place of the loop, and without the lists that it filled; `rows` are the
    names of what it gives for each."""
    made = {id(one.made) for one in lists if not one.initial}
    calls = [(one.call, joined(place, one, name)) for one, name in zip(lists, rows, strict=True)]
    found: Statements = []
    notes: list[cst.EmptyLine] = []
    after = False
    for statement in statements(block):
        if id(statement) in made:
            notes += _comments(statement)
            continue
        new = done if statement is loop else [replace_all(statement, calls) if after else statement]
        after = after or statement is loop
        if after and _idle(new[0]):
            # `outs = torch.stack(outs)`: the name holds the tensor already.
            notes += _comments(new[0])
            continue
        if notes:
            leading: Sequence[cst.EmptyLine] = getattr(new[0], "leading_lines", ())
            blank = next((i for i, one in enumerate(leading) if one.comment is not None), len(leading))
            lines = [*leading[:blank], *notes, *leading[blank:]]
            new = [new[0].with_changes(leading_lines=lines), *new[1:]]
            notes = []
        found += new
    return found


def _idle(statement: cst.BaseStatement) -> bool:
    """Whether a line binds a name to itself."""
    only = only_statement([statement])
    name = dotted(only.value) if isinstance(only, cst.Assign) and len(only.targets) == 1 else ""
    return name.isidentifier() and isinstance(only, cst.Assign) and dotted(only.targets[0].target) == name


def _comments(statement: cst.BaseStatement) -> list[cst.EmptyLine]:
    """The comments of a line that goes."""
    assert isinstance(statement, cst.SimpleStatementLine)
    found = [one for one in statement.leading_lines if one.comment is not None]
    if statement.trailing_whitespace.comment is not None:
        found.append(cst.EmptyLine(comment=statement.trailing_whitespace.comment))
    return found


@dataclass(frozen=True)
class CountedAccumulator:
    """A list that a loop fills until it is left: all iterations fill it, and a count says how many elements are meant.

    `item` and `count` are the names of what an iteration appends, and of the tensor that counts.
    """

    accumulator: ListAccumulator
    item: str
    count: str

    def appended(self) -> cst.BaseStatement:
        """The line that fills the list in every round."""
        return line(f"{self.accumulator.name}.append({self.item})")

    def joined(self, place: FixSite) -> cst.BaseExpression:
        """What puts the elements together, as many as are meant."""
        initial = f"{len(self.accumulator.initial)} + " if self.accumulator.initial else ""
        rows = f"{place.torch}.stack({self.accumulator.name})[:{initial}{self.count}.item()]"
        return joined(place, replace(self.accumulator, initial=()), rows)


def counted_accumulators(place: FixSite, builder: Builder, loop: cst.For) -> list[CountedAccumulator]:
    """The lists that a loop fills; none where it fills none. Raises FixNotApplicable where one is used in another way as well."""
    if not any(_appends(statement) for statement in statements(loop.body)):
        return []
    found = list_accumulators(place, loop)
    for one in found:
        if sum(1 for call in below(loop, cst.Call) if dotted(call.func) == f"{one.name}.append") != 1:
            raise FixNotApplicable(NoFix.LOOP_RESULTS, "a list is filled from deeper within")
    return [CountedAccumulator(one, builder.name("item"), builder.name("count")) for one in found]


def _appends(statement: cst.BaseStatement) -> str:
    only = only_statement([statement])
    called = only.value if isinstance(only, cst.Expr) else None
    name, _, method = dotted(called.func).rpartition(".") if isinstance(called, cst.Call) else ("", "", "")
    return name if method == "append" else ""


def with_items(block: Statements, lists: list[CountedAccumulator]) -> Statements:
    """The statements of a round with names for what goes into the lists, and the counting, in the place of `append`."""
    named = {one.accumulator.name: one for one in lists}
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
