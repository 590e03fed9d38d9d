"""The head of a loop over the rows of one tensor: by the tensor itself, or by a counter that does no more than to pick them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import joins
from exportdb_rules import values as domain
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import SCALAR, Tensor
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import dotted, index_of, integer, occurrences, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.branching.branches import Builder
    from exportdb_rules.rewrite.branching.side import Statements
    from exportdb_rules.rewrite.known.inference import Environment
    from exportdb_rules.rewrite.place import Place


@dataclass(frozen=True)
class Rows:
    """What a loop goes over: `code` gives a tensor, of the signature `known`, whose rows are wanted; `row` is the name of one in `body`."""

    code: str
    known: Tensor
    row: str
    body: Statements


def rows_of(place: Place, builder: Builder, node: cst.For, env: Environment, at: cst.CSTNode) -> Rows:
    """The rows that a loop goes over. Raises Refused where it goes over something else, or counts as well.

    `at` is the statement of a block that the loop is, or stands in.
    """
    source, target = node.iter, node.target
    body = statements(node.body)
    if isinstance(source, cst.Call) and dotted(source.func) == "range":
        return _by_counter(place, builder, node, source, env, at)
    if isinstance(source, cst.Call) and dotted(source.func) == "enumerate" and len(source.args) == 1:
        pair = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else []
        if len(pair) != 2 or not isinstance(pair[0], cst.Name) or pair[0].value in names(node.body).reads:
            raise Refused("the loop counts")
        source, target = source.args[0].value, pair[1]
    if not isinstance(target, cst.Name):
        raise Refused("an unusual target")
    known = _rows(place, source, env)
    return Rows(place.tree.code(source), known, target.value, body)


def _rows(place: Place, source: cst.BaseExpression, env: Environment) -> Tensor:
    known = place.inference.infer(source, dict(env))
    value = place.inference.value(source)
    if value is None or not all(type(c) is domain.Tensor for c in joins.choices(value)):
        raise Refused("not a loop over a tensor")
    if not isinstance(known, Tensor) or known.shape == SCALAR:
        raise Refused("not a loop over a tensor")
    return known


def _by_counter(
    place: Place, builder: Builder, node: cst.For, call: cst.Call, env: Environment, at: cst.CSTNode
) -> Rows:
    """`for i in range(x.shape[k])` whose body has `i` in `x[i]` only, or in `x[:, i]`."""
    if not isinstance(node.target, cst.Name) or len(call.args) != 1 or call.args[0].star:
        raise Refused("not a plain loop over a range")
    counter = node.target.value
    picked: dict[tuple[str, int], list[cst.Subscript]] = {}
    for path in occurrences(node.body, counter):
        subscript, dimension = _picks(path)
        picked.setdefault((dotted(subscript.value), dimension), []).append(subscript)
    if len(picked) != 1:
        raise Refused("the counter picks rows of several tensors, or none")
    ((name, dimension), nodes), *_ = picked.items()
    if not name or not _counts(place, node, call.args[0].value, name, dimension, at):
        raise Refused("it is not known that the loop goes over all rows")
    known = _rows(place, nodes[0].value, env)
    row = builder.name("row")
    rename = _Rename(place, {id(one) for one in nodes}, row)
    body = [cst.ensure_type(s.visit(rename), cst.BaseStatement) for s in statements(node.body)]
    code = name if dimension == 0 else f"{name}.movedim({dimension}, 0)"
    if dimension:
        # Nothing is known of the sizes in their new order.
        known = Tensor(known.dtype, ("moved", dimension, known.shape), known.roots, True)
    return Rows(code, known, row, body)


def _picks(path: tuple[cst.CSTNode, ...]) -> tuple[cst.Subscript, int]:
    """The `x[:, i]` whose last name a path ends with, and which dimension is picked from."""
    if len(path) < 4:
        raise Refused("the counter is used as a number")
    subscript, element, index = path[-4], path[-3], path[-2]
    if not isinstance(subscript, cst.Subscript) or not isinstance(element, cst.SubscriptElement):
        raise Refused("the counter is used as a number")
    if not isinstance(index, cst.Index) or index.star is not None:
        raise Refused("the counter is used as a number")
    for other in subscript.slice:
        part = other.slice
        if other is not element and not (isinstance(part, cst.Slice) and not (part.lower or part.upper or part.step)):
            raise Refused("more than a row is picked")
    return subscript, list(subscript.slice).index(element)


class _Rename(cst.CSTTransformer):
    """Puts a name in the place of subscripts; what stands around them keeps its values."""

    def __init__(self, place: Place, wanted: set[int], name: str) -> None:
        super().__init__()
        self._inference = place.inference
        self._wanted = wanted
        self._name = name

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if id(original_node) in self._wanted:
            return cst.Name(self._name)
        if updated_node is not original_node:
            self._inference.origin[updated_node] = self._inference.origin.get(original_node, original_node)
        return updated_node


# --- how often ----------------------------------------------------------------------------------------------------------


def _counts(place: Place, node: cst.For, bound: cst.BaseExpression, name: str, dimension: int, at: cst.CSTNode) -> bool:
    """Whether the bound of a range is the size of a tensor, by its name, in a dimension."""
    if name in names(node.body).writes:
        return False
    if not isinstance(bound, cst.Name):
        return _is_size(bound, name, dimension)
    # `n = x.shape[0]`, or `n, t, _ = x.shape`, with nothing in between that binds one of them anew.
    parent = place.upto(at)[-2]
    block = list(statements(parent)) if isinstance(parent, cst.IndentedBlock) else []
    before = block[: next((i for i, one in enumerate(block) if one is at), 0)]
    for statement in reversed(before):
        written = names(statement).writes
        if bound.value in written:
            only = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None  # fmt: skip
            return name not in written and isinstance(only, cst.Assign) and _binds(only, bound.value, name, dimension)
        if name in written:
            return False
    return False


def _binds(assign: cst.Assign, bound: str, name: str, dimension: int) -> bool:
    if len(assign.targets) != 1:
        return False
    target = assign.targets[0].target
    if isinstance(target, cst.Name):
        return _is_size(assign.value, name, dimension)
    if not isinstance(target, (cst.Tuple, cst.List)) or any(isinstance(e, cst.StarredElement) for e in target.elements):
        return False
    value = assign.value
    shape = value.func if isinstance(value, cst.Call) and not value.args else value
    if dotted(shape) not in ((f"{name}.size",) if isinstance(value, cst.Call) else (f"{name}.shape",)):
        return False
    found = [i for i, e in enumerate(target.elements) if dotted(e.value) == bound]
    return found == [dimension]


def _is_size(node: cst.BaseExpression, name: str, dimension: int) -> bool:
    """Whether an expression is `x.shape[k]`, `x.size(k)`, or, of the first dimension, `len(x)`."""
    if isinstance(node, cst.Call) and len(node.args) == 1:
        if dotted(node.func) == "len":
            return dimension == 0 and dotted(node.args[0].value) == name
        return dotted(node.func) == f"{name}.size" and integer(node.args[0].value) == dimension
    return isinstance(node, cst.Subscript) and dotted(node.value) == f"{name}.shape" and index_of(node) == dimension
