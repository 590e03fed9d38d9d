"""The head of a loop over the rows of tensors: by the tensors themselves, or by a counter that picks them.

`zip` ends with the shortest, so what comes side by side is cut to the smallest size by `torch.sym_min`, which keeps sizes
symbolic where `min` would compare them (measured on torch 2.13, in both modes).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import SCALAR, Signature, TensorSignature, row_shape
from exportdb_rules.rewrite.looping.loop_heads import (
    refuse_python_use,
    scalar_indices,
    side_by_side,
    smallest_of,
    with_indices,
)
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, index_of, integer, occurrences, only_statement, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.branching.branch_lowering import Statements
    from exportdb_rules.rewrite.branching.branches import Builder
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment


@dataclass(frozen=True)
class RowSource:
    """A tensor whose rows are wanted: `code` gives it, `known` is its signature, `row` the name of a row in the body."""

    code: str
    known: TensorSignature
    row: str

    def signature(self) -> TensorSignature:
        """The signature of one row."""
        return TensorSignature(
            self.known.dtype, row_shape(self.known.shape), frozenset([self.row]), self.known.maybe_noncontiguous
        )


@dataclass(frozen=True)
class Rows:
    """What a loop goes over: the rows of tensors, side by side, and perhaps the number of the round.

    `counter` is the name of that number, a tensor in `body`, '' where the body does not read it, and `numbers` the code that
    gives all of them. `first` is the round that the loop begins with. `before` are lines that the codes need.
    """

    parts: tuple[RowSource, ...]
    body: Statements
    counter: str = ""
    numbers: str = ""
    first: int = 0
    before: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names that a round begins with."""
        return [*([self.counter] if self.counter else []), *(part.row for part in self.parts)]

    def signatures(self) -> dict[str, Signature]:
        """What is known of those names."""
        found: dict[str, Signature] = {part.row: part.signature() for part in self.parts}
        if self.counter:
            found[self.counter] = _COUNT
        return found


_COUNT = TensorSignature("int64", SCALAR, frozenset(["#round"]))


def rows_of(place: FixSite, builder: Builder, node: cst.For, env: Environment, at: cst.CSTNode) -> Rows:
    """The rows that a loop goes over. Raises FixNotApplicable where it goes over something else.

    `at` is the statement of a block that the loop is, or stands in.
    """
    call = node.iter
    if isinstance(call, cst.Call) and dotted(call.func) == "range":
        rows = _by_counter(place, builder, node, call, env, at)
    else:
        rows = _by_rows(place, builder, node, env)
    return _with_tensor_indices(place, node, rows, env)


def _with_tensor_indices(place: FixSite, node: cst.For, rows: Rows, env: Environment) -> Rows:
    """The rows, where the body indexes with the number of the round, or with a row that is a number."""
    inner = {**env, **rows.signatures()}
    body = cst.IndentedBlock(rows.body)
    if rows.counter:
        refuse_python_use(place, body, rows.counter)
    counted = frozenset([rows.counter] if rows.counter else [])
    counters = scalar_indices(place, node.with_changes(body=body), inner) | counted
    if not counters:
        return rows
    place.inference.overridden |= counted
    return Rows(
        rows.parts, with_indices(rows.body, counters, place), rows.counter, rows.numbers, rows.first, rows.before
    )


def _by_rows(place: FixSite, builder: Builder, node: cst.For, env: Environment) -> Rows:
    """`for row in x`, and `zip` and `enumerate` of such."""
    over = side_by_side(node)
    sources, strict = over.sources, over.strict
    counter = over.counter if over.counter in names(node.body).reads else ""
    known = [_rows(place, one, env) for one in sources]
    codes, before = [place.tree.code(one) for one in sources], list[str]()
    if any(not isinstance(one, cst.Name) for one in sources) and (len(sources) > 1 or counter):
        named = [code if isinstance(one, cst.Name) else builder.name("rows") for one, code in zip(sources, codes, strict=True)]  # fmt: skip
        before += [f"{name} = {code}" for name, code in zip(named, codes, strict=True) if name != code]
        codes = named
    size = f"{codes[0]}.shape[0]"
    if len(codes) > 1 and not strict:
        smallest = smallest_of(place, [f"{code}.shape[0]" for code in codes])
        size = builder.name("rounds")
        before.append(f"{size} = {smallest}")
    cut = [f"{code}[:{size}]" for code in codes] if len(codes) > 1 and not strict else codes
    parts = tuple(RowSource(code, one, row) for code, one, row in zip(cut, known, over.rows, strict=True))
    return Rows(parts, statements(node.body), counter, _numbers(place, size, codes[0]), 0, tuple(before))


def _numbers(place: FixSite, size: str, like: str) -> str:
    return f"{place.torch}.arange({size}, device={like}.device)"


def _rows(place: FixSite, source: cst.BaseExpression, env: Environment) -> TensorSignature:
    known = place.inference.infer(source, dict(env))
    if not place.inference.is_tensor(source):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a loop over a tensor")
    if not isinstance(known, TensorSignature) or known.shape == SCALAR:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a loop over a tensor")
    return known


def _by_counter(
    place: FixSite, builder: Builder, node: cst.For, call: cst.Call, env: Environment, at: cst.CSTNode
) -> Rows:
    """`for i in range(x.shape[k])` whose body has `x[i]`, or `x[:, i]`, and perhaps `y[i]`; or `i` as a number."""
    args = [a.value for a in call.args]
    if not isinstance(node.target, cst.Name) or not args or any(a.star or a.keyword is not None for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain loop over a range")
    first = 0
    if len(args) == 2 and integer(args[0]) in (0, 1):
        first, args = integer(args[0]) or 0, args[1:]
    if len(args) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a range with a start or a step")
    counter, (bound,) = node.target.value, args
    picked, counts = _picked(place, node, counter, env)
    whole = next((key for key in picked if _counts(place, node, bound, *key, at)), None)
    if whole is None:
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known that the loop goes over all rows")
    parts: list[RowSource] = []
    wanted: dict[int, str] = {}
    size = f"{whole[0]}.shape[{whole[1]}]"
    for key in sorted(picked, key=lambda one: one != whole):
        (name, dimension), nodes = key, picked[key]
        row = builder.name("row" if len(picked) == 1 else f"{name.rpartition('.')[2]}_row")
        wanted.update({id(one): row for one in nodes})
        known = _rows(place, nodes[0].value, env)
        code = name if dimension == 0 else f"{name}.movedim({dimension}, 0)"
        if dimension:
            # Nothing is known of the sizes in their new order.
            known = TensorSignature(known.dtype, ("moved", dimension, known.shape), known.storages, True)
        parts.append(RowSource(code if key == whole else f"{code}[:{size}]", known, row))
    # All at once: what is renamed inside of a statement is not the text's any more.
    rename = _Rename(place, wanted)
    body: Statements = [cst.ensure_type(s.visit(rename), cst.BaseStatement) for s in statements(node.body)]
    numbers = counter if counts or first else ""
    return Rows(tuple(parts), body, numbers, _numbers(place, size, whole[0]), first)


def _picked(
    place: FixSite, node: cst.For, counter: str, env: Environment
) -> tuple[dict[tuple[str, int], list[cst.Subscript]], bool]:
    """The tensors and dimensions that the counter picks rows of, and whether it is used as a number besides."""
    picked: dict[tuple[str, int], list[cst.Subscript]] = {}
    counts = False
    written = names(node.body).writes
    for path in occurrences(node.body, counter):
        try:
            subscript, dimension = _picks(path)
            name = dotted(subscript.value)
            if not name or name in written or _stored_to(path, subscript):
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no tensor that stays as it is")
            _rows(place, subscript.value, env)
        except FixNotApplicable:
            counts = True
            continue
        picked.setdefault((name, dimension), []).append(subscript)
    return picked, counts


def _stored_to(path: tuple[cst.CSTNode, ...], subscript: cst.Subscript) -> bool:
    """Whether the rows that a counter picks are written to."""
    above = path[path.index(subscript) - 1]
    return isinstance(above, (cst.AssignTarget, cst.Del)) or (
        isinstance(above, (cst.AugAssign, cst.AnnAssign)) and above.target is subscript
    )


def _picks(path: tuple[cst.CSTNode, ...]) -> tuple[cst.Subscript, int]:
    """The `x[:, i]` whose last name a path ends with, and which dimension is picked from."""
    if len(path) < 4:
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the counter is used as a number")
    subscript, element, index = path[-4], path[-3], path[-2]
    if not isinstance(subscript, cst.Subscript) or not isinstance(element, cst.SubscriptElement):
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the counter is used as a number")
    if not isinstance(index, cst.Index) or index.star is not None:
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the counter is used as a number")
    for other in subscript.slice:
        part = other.slice
        if other is not element and not (isinstance(part, cst.Slice) and not (part.lower or part.upper or part.step)):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than a row is picked")
    return subscript, list(subscript.slice).index(element)


class _Rename(cst.CSTTransformer):
    """Puts names in the place of subscripts; what stands around them keeps its values."""

    def __init__(self, place: FixSite, wanted: dict[int, str]) -> None:
        super().__init__()
        self._inference = place.inference
        self._wanted = wanted

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if id(original_node) in self._wanted:
            made = cst.Name(self._wanted[id(original_node)])
            self._inference.origin[made] = original_node
            return made
        if updated_node is not original_node:
            self._inference.origin[updated_node] = self._inference.origin.get(original_node, original_node)
        return updated_node


# --- how often ----------------------------------------------------------------------------------------------------------


def _counts(
    place: FixSite, node: cst.For, bound: cst.BaseExpression, name: str, dimension: int, at: cst.CSTNode
) -> bool:
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
            only = only_statement([statement])
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
