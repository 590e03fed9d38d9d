"""What the functions of a higher-order operator take and return: leaves, trees, and how two results differ."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from exportdb_rules.definitions import positional_count
from exportdb_rules.lattice import Mapping, Sequence
from exportdb_rules.operator_table import example_dtype
from exportdb_rules.values import (
    ATTRIBUTE,
    BUFFER,
    OPERAND,
    PARAMETER,
    Const,
    Evidence,
    Function,
    Site,
    Static,
    Sym,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.facts import Branch, Branched


# They give a view or a copy, by how the tensor lies in memory or what it is already; the first two seldom copy.
_MOSTLY_VIEWS = frozenset({"reshape", "flatten"})
_UNDECIDED = frozenset({"contiguous", "to", "type", "cpu", "cuda", "expand_as", "broadcast_to", "as_strided"})


@dataclass(frozen=True, slots=True)
class Difference:
    """How two results differ: the measured case of that, what shows it, and in words."""

    case: str
    evidence: Evidence
    text: str


def leaves(value: Value) -> Iterator[Value]:
    """The leaves of a result, as far as its tree is known."""
    if isinstance(value, Sequence):
        for item in value.items or ():
            yield from leaves(item)
    elif isinstance(value, Mapping):
        for item in value.items.values():
            yield from leaves(item)
    else:
        yield value


def returned(branch: Branch) -> Iterator[ast.expr]:
    """The expressions that a branch returns, where its source is at hand."""
    function = branch.function
    if type(function) is not Function:
        return
    node = function.info.node
    if isinstance(node, ast.Lambda):
        yield node.body
        return
    for statement in ast.walk(node):
        if isinstance(statement, ast.Return) and statement.value is not None:
            yield statement.value


def number(value: Value) -> str | None:
    """`int`, `float` or `bool` if the value is a Python number of that type."""
    if isinstance(value, Const):
        return type(value.value).__name__ if isinstance(value.value, (bool, int, float)) else None
    if isinstance(value, (Static, Sym)):
        return value.type if value.type in ("int", "float", "bool") else None
    return None


def is_outside(value: Value) -> bool:
    """Whether a result is, or views, a tensor that was there before the branch began."""
    return type(value) is Tensor and value.alias and value.origin in (OPERAND, BUFFER, PARAMETER, ATTRIBUTE)


def wrong_count(fact: Branched) -> tuple[Branch, str] | None:
    """The first function that cannot be called on as many operands as there are, and why."""
    count = len(fact.operands)
    for branch in fact.branches if fact.counted else ():
        function = branch.function
        if type(function) is not Function or function.info.decorators or (function.info.cls and not function.bound):
            continue
        least, most = positional_count(function.info)
        if count < least or (most is not None and count > most):
            takes = f"{most if most is not None and count > most else least} argument{'s' * (most != 1)}"
            return branch, f"takes {takes}, but gets {count} operand{'s' * (count != 1)}"
    return None


def assigned(branch: Branch, name: str) -> Site | None:
    """Where a function binds a name of the scope around it anew, where its source is at hand."""
    function = branch.function
    for node in ast.walk(function.info.node) if type(function) is Function else ():
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return Site(function.info.module, node)  # type: ignore[union-attr]
    return None


def parts(value: ast.expr) -> list[ast.expr]:
    """The values of a tuple or list that is written out; else the value itself."""
    return [*value.elts] if isinstance(value, (ast.Tuple, ast.List)) else [value]


def certainty(branch: Branch) -> Evidence | None:
    """What shows that a result which may be a view is one; None where nothing does."""
    function = branch.function
    if _returns_parameter(branch):
        return Evidence.OBSERVED
    body = ast.walk(function.info.node) if type(function) is Function else ()
    names = {node.attr for node in body if isinstance(node, ast.Attribute)}
    if names & _UNDECIDED:
        return None
    return Evidence.DERIVED if names & _MOSTLY_VIEWS else Evidence.OBSERVED


def _returns_parameter(branch: Branch) -> bool:
    """Whether a function hands out one of its parameters as it was given, whatever else it computes."""
    function = branch.function
    if type(function) is not Function or isinstance(function.info.node, ast.Lambda):
        return False
    nodes = list(ast.walk(function.info.node))
    given = {n.arg for n in nodes if isinstance(n, ast.arg)}
    given -= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    found = [part for value in returned(branch) for part in parts(value)]
    return any(isinstance(part, ast.Name) and part.id in given for part in found)


def difference(a: Value, b: Value) -> Difference | None:
    """The first difference between the results of two branches that is certain or likely; None if there is none."""
    if isinstance(a, Sequence) and isinstance(b, Sequence):
        if a.type != b.type:
            return Difference("cond_tree_differs", Evidence.OBSERVED, f"a {a.type} in one, a {b.type} in the other")
        if a.items is None or b.items is None:
            return None
        if len(a.items) != len(b.items):
            return Difference(
                "cond_tree_differs", Evidence.OBSERVED, f"{len(a.items)} values in one, {len(b.items)} in the other"
            )
        return _first(zip(a.items, b.items, strict=True))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if a.element is not None or b.element is not None:
            return None
        if a.items.keys() != b.items.keys():
            return Difference("cond_tree_differs", Evidence.OBSERVED, "dicts with different keys")
        return _first((v, b.items[k]) for k, v in a.items.items())
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return _of_tensors(a, b)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, (Sequence, Mapping)) and isinstance(other, Tensor):
            kind = "dict" if isinstance(one, Mapping) else one.type
            return Difference("cond_tree_differs", Evidence.OBSERVED, f"a {kind} in one, a tensor in the other")
    return None


def _first(pairs: Iterable[tuple[Value, Value]]) -> Difference | None:
    for a, b in pairs:
        found = difference(a, b)
        if found is not None:
            return found
    return None


def _of_tensors(a: Tensor, b: Tensor) -> Difference | None:
    if a.rank is not None and b.rank is not None and a.rank != b.rank:
        return Difference("cond_rank_differs", Evidence.OBSERVED, f"rank {a.rank} in one, {b.rank} in the other")
    lost_a, base_a = _reduced(a)
    lost_b, base_b = _reduced(b)
    if base_a is not None and base_a == base_b and lost_a != lost_b:
        return Difference("cond_rank_differs", Evidence.OBSERVED, "different ranks")
    if {a.rank, b.rank} == {0, None} and (base_a if a.rank is None else base_b) is not None:
        return Difference(
            "cond_rank_differs", Evidence.DERIVED, "a 0-dimensional tensor in one, another rank in the other"
        )
    kinds = {_kind(a.dtype), _kind(b.dtype)}
    if len(kinds) == 2 and None not in kinds:
        # Who converts to float64 in one branch only has seldom float64 to begin with; float32 is what most have.
        evidence = (
            Evidence.OBSERVED
            if all(isinstance(t.dtype, str) and t.dtype != "default" for t in (a, b))
            else Evidence.DERIVED
        )
        return Difference("cond_dtype_differs", evidence, "different dtypes")
    return None


def _reduced(tensor: Tensor) -> tuple[int, object]:
    """How many dimensions were summed away, and the shape that it began with."""
    lost = 0
    shape: Any = tensor.shape
    while isinstance(shape, tuple) and shape[:1] == ("reduced",):
        lost, shape = lost + 1, cast("tuple[Any, ...]", shape)[1]
    base = None if shape == ("dims", ()) else cast("object", shape)
    return lost, base


def _kind(dtype: object) -> str | None:
    """Dtypes that cannot be equal have different kinds; None where that is not known."""
    dtype = example_dtype(dtype)
    if isinstance(dtype, str):
        return "single" if dtype in ("default", "float32") else dtype
    if isinstance(dtype, tuple) and dtype and dtype[0] in ("float", "promoted", "true_divide"):
        return "single"  # some floating dtype
    return None
