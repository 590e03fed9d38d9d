"""How many dimensions an input has, learned from how a function uses it.

A use says so where it raises for every other number of dimensions: sizes that are unpacked (`b, n, d = x.shape`), `permute`, a
pattern of einops without an ellipsis, an equation of `einsum`, an assertion of `x.ndim`. Only what runs in every call counts, and
only before the name is bound to something else. Tensors that are computed from one another number by number are taken to have
equally many.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.einops_patterns import ELLIPSIS, sides

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATTERNS: Final = frozenset({"rearrange", "reduce", "repeat"})
_ARITHMETIC: Final = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def ranks_of_inputs(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, names: set[str]) -> dict[str, int]:
    """The numbers of dimensions of those inputs of a function of which one is known."""
    if isinstance(node, ast.Lambda):
        return {}
    found: dict[str, int] = {}
    # Which inputs a local name is computed from, number by number.
    origins = {name: frozenset({name}) for name in names}
    for statement in _always(node.body):
        for name, rank in _uses(statement):
            for origin in origins.get(name, ()):
                found.setdefault(origin, rank)
        computed = _computed_from(statement.value, origins) if isinstance(statement, ast.Assign) else None
        for name in [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]:
            origins.pop(name, None)
        if computed and isinstance(statement, ast.Assign):
            origins.update({target.id: computed for target in statement.targets if isinstance(target, ast.Name)})
    return found


def _always(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run in every call, those of a `with` among them."""
    for statement in body:
        if isinstance(statement, ast.With):
            yield from _always(statement.body)
        else:
            yield statement


def _computed_from(node: ast.expr, origins: dict[str, frozenset[str]]) -> frozenset[str] | None:
    """The inputs that arithmetic is of; None where there is anything else in it than names of them and numbers."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
        left, right = _computed_from(node.left, origins), _computed_from(node.right, origins)
        return None if left is None or right is None else left | right
    if isinstance(node, ast.Name):
        return origins.get(node.id)
    return frozenset() if isinstance(node, ast.Constant) else None


def _uses(statement: ast.stmt) -> Iterator[tuple[str, int]]:
    """Names in a statement with the numbers of dimensions that they must have."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        yield from _unpacked(statement.targets[0], statement.value)
    if isinstance(statement, ast.Assert):
        yield from _asserted(statement.test)
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)) or statement.value is None:
        return
    for node in _evaluated(statement.value):
        if isinstance(node, ast.Call):
            yield from _called(node)


def _evaluated(node: ast.expr) -> Iterator[ast.AST]:
    """The parts of an expression that are computed whenever it is."""
    yield node
    if isinstance(node, (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _evaluated(child)
        elif isinstance(child, ast.keyword):
            yield from _evaluated(child.value)


def _shape_of(node: ast.expr) -> str | None:
    """The name whose sizes are read: `x.shape`, `x.size()`."""
    if isinstance(node, ast.Call) and not node.args and not node.keywords and isinstance(node.func, ast.Attribute):
        owner = node.func.value if node.func.attr == "size" else None
    else:
        owner = node.value if isinstance(node, ast.Attribute) and node.attr == "shape" else None
    return owner.id if isinstance(owner, ast.Name) else None


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, int]]:
    """`b, n, d = x.shape` and `b, n, d, device = *x.shape, x.device`."""
    if not isinstance(target, ast.Tuple) or any(isinstance(part, ast.Starred) for part in target.elts):
        return
    parts = value.elts if isinstance(value, ast.Tuple) else [ast.Starred(value, ast.Load())]
    starred = [part for part in parts if isinstance(part, ast.Starred)]
    name = _shape_of(starred[0].value) if len(starred) == 1 else None
    if name is not None:
        yield name, len(target.elts) - len(parts) + 1


def _asserted(test: ast.expr) -> Iterator[tuple[str, int]]:
    """`assert x.ndim == 3`, `assert x.dim() == 3`, `assert len(x.shape) == 3`."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return
    read, number = test.left, test.comparators[0]
    if not isinstance(number, ast.Constant) or type(number.value) is not int:
        return
    if isinstance(read, ast.Call) and isinstance(read.func, ast.Attribute) and read.func.attr == "dim":
        read = read.func.value
    elif isinstance(read, ast.Attribute) and read.attr == "ndim":
        read = read.value
    elif isinstance(read, ast.Call) and isinstance(read.func, ast.Name) and read.func.id == "len" and read.args:
        name = _shape_of(read.args[0])
        read = ast.Name(name, ast.Load()) if name is not None else read
    if isinstance(read, ast.Name):
        yield read.id, number.value


def _called(node: ast.Call) -> Iterator[tuple[str, int]]:
    """`x.permute(0, 2, 1)`, `rearrange(x, "b n d -> b d n")`, `einsum("bi,bj->bij", x, y)`."""
    short = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if short == "permute" and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        first = node.args[0] if node.args else None
        axes = first.elts if isinstance(first, (ast.Tuple, ast.List)) else node.args
        if axes and all(isinstance(axis, (ast.Constant, ast.UnaryOp)) for axis in axes):
            yield node.func.value.id, len(axes)
    texts = [arg for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    if len(texts) != 1 or "->" not in str(texts[0].value):
        return
    left = str(texts[0].value).partition("->")[0]
    others = [arg for arg in node.args if arg is not texts[0]]
    if short in _PATTERNS and others:
        both = sides(str(texts[0].value))
        if both is not None and [ELLIPSIS] not in both[0] and isinstance(others[0], ast.Name):
            yield others[0].id, len(both[0])
    elif short == "einsum":
        by_letters = node.args[0] is texts[0]
        for part, operand in zip(left.split(","), others, strict=False):
            plain = "..." not in part
            if plain and isinstance(operand, ast.Name):
                yield operand.id, len(part.replace(" ", "")) if by_letters else len(part.split())
