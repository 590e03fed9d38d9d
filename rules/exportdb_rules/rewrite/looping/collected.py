"""Lists that a loop fills, one element a round, to be put together in one tensor afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.higher_order.operator_call import replace_all
from exportdb_rules.rewrite.known.mutation import changes
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import dotted, occurrences, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.branching.side import Statements
    from exportdb_rules.rewrite.place import Place


@dataclass(frozen=True, eq=False)
class Collected:
    """`outs = []` before a loop, `outs.append(…)` in it, and the call of `torch.stack` or `torch.cat` after it.

    `joined` is what gives the same, where the name holds the results one below the other.
    """

    name: str
    made: cst.BaseStatement
    call: cst.Call
    joined: cst.BaseExpression


def collected(place: Place, loop: cst.For) -> list[Collected]:
    """The lists that a loop fills. Raises Refused where it fills none, or one is used in another way as well."""
    parent = place.upto(loop)[-2]
    block = statements(parent) if isinstance(parent, cst.IndentedBlock) else []
    found: list[Collected] = []
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
        raise Refused("the loop fills no list, or one twice a round")
    return found


def _used(place: Place, block: Statements, at: int, name: str) -> Collected:
    made = next((s for s in block[:at] if name in _lists(s)), None)
    paths = occurrences(place.function.body, name)
    use = next((s for s in block[at + 1 :] if any(s in path for path in paths)), None)
    if made is None or use is None:
        raise Refused("the list is not used behind the loop")
    rest = [path for path in paths if use in path]
    if _binds_anew(use, name):
        # `outs = torch.stack(outs)`: what follows speaks of the tensor.
        rest = [path for path in rest if not isinstance(path[-2], cst.AssignTarget)]
        paths = [path for path in paths if not any(s in path for s in block[block.index(use) + 1 :])]
        paths = [path for path in paths if use not in path or path in rest]
    if len(rest) != 1 or len(paths) != 3:
        raise Refused("the list is used in another way as well")
    (path,) = rest
    if any(
        isinstance(n, (cst.For, cst.While, cst.FunctionDef, cst.Lambda, cst.ListComp)) for n in path[path.index(use) :]
    ):
        raise Refused("the list is used in a loop or a function")
    call = path[-3]
    if not isinstance(call, cst.Call) or not isinstance(path[-2], cst.Arg) or call.args[0] is not path[-2]:
        raise Refused("the list is used in another way as well")
    return Collected(name, made, call, _joined(place, call, name))


def _binds_anew(statement: cst.BaseStatement, name: str) -> bool:
    only = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    return isinstance(only, cst.Assign) and len(only.targets) == 1 and dotted(only.targets[0].target) == name


def _lists(statement: cst.BaseStatement) -> dict[str, cst.BaseExpression]:
    """The names that a line binds to empty lists, if it does nothing else: `a = []`, `a, b = [], []`."""
    only = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
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
    found = {target.value: value for target, value in pairs if isinstance(target, cst.Name) and _empty(value)}
    return {name: value for name, value in found.items() if value is not None} if len(found) == len(pairs) else {}


def _empty(node: cst.BaseExpression | None) -> bool:
    called = isinstance(node, cst.Call) and dotted(node.func) == "list" and not node.args
    return called or (isinstance(node, cst.List) and not node.elements)


def _joined(place: Place, call: cst.Call, name: str) -> cst.BaseExpression:
    """`torch.stack(outs, dim)` and `torch.cat(outs, dim)` of results that lie one below the other already."""
    kind = dotted(call.func).removeprefix(f"{place.torch}.")
    dimension = _dimension(call.args[1:])
    # The results of an operator may not be written in place, a copy of them may.
    own = "clone()" if writes_in_place(place) else ""
    if kind == "stack":
        # What torch.stack gives has no gaps, and somebody may ask for a view of it.
        code = name if dimension == 0 else f"{name}.movedim(0, {dimension})"
        if own and dimension:
            own = f"clone(memory_format={place.torch}.contiguous_format)"
        last = own or ("contiguous()" if dimension else "")
        code += f".{last}" if last else ""
    elif kind in ("cat", "concat"):
        code = f"{name}.flatten(0, 1)"
        if dimension:
            code = f"{name}.movedim(0, {dimension}).flatten({dimension}, {dimension + 1})"
        code += f".{own}" if own else ""
    else:
        raise Refused("the list is used in another way as well")
    return cst.parse_expression(code)


def writes_in_place(place: Place) -> bool:
    """Whether the function writes any tensor in place."""
    return bool(changes(statements(place.function.body)).names)


def _dimension(arguments: Sequence[cst.Arg]) -> int:
    if not arguments:
        return 0
    (first, *more) = arguments
    keyword = first.keyword.value if first.keyword is not None else "dim"
    if more or keyword not in ("dim", "axis") or first.star or not isinstance(first.value, cst.Integer):
        raise Refused("an unusual dimension")
    return int(first.value.value)


def without_lists(block: cst.IndentedBlock, loop: cst.For, done: Statements, lists: Sequence[Collected]) -> Statements:
    """The statements of a block with `done` in the place of the loop, and without the lists that it filled."""
    made = {id(one.made) for one in lists}
    calls = [(one.call, one.joined) for one in lists]
    found: Statements = []
    notes: list[cst.EmptyLine] = []
    after = False
    for statement in statements(block):
        if id(statement) in made:
            notes += _comments(statement)
            continue
        new = done if statement is loop else [replace_all(statement, calls) if after else statement]
        after = after or statement is loop
        if notes:
            leading: Sequence[cst.EmptyLine] = getattr(new[0], "leading_lines", ())
            blank = next((i for i, one in enumerate(leading) if one.comment is not None), len(leading))
            lines = [*leading[:blank], *notes, *leading[blank:]]
            new = [new[0].with_changes(leading_lines=lines), *new[1:]]
            notes = []
        found += new
    return found


def _comments(statement: cst.BaseStatement) -> list[cst.EmptyLine]:
    """The comments of a line that goes."""
    assert isinstance(statement, cst.SimpleStatementLine)
    found = [one for one in statement.leading_lines if one.comment is not None]
    if statement.trailing_whitespace.comment is not None:
        found.append(cst.EmptyLine(comment=statement.trailing_whitespace.comment))
    return found
