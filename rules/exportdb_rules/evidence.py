"""What shows that a parameter is a tensor: an edit that cannot change what eager computes needs more than convention.

The interpreter takes a parameter of an entry for a tensor where nothing says what it is (`values.BARE`). That is good for
findings, whose confidence says so. A list, a tuple, a dict or a text may stand there as well, and code that served them
too must serve them still when it is rewritten without anybody's looking at it.
"""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from exportdb_rules.joins import choices
from exportdb_rules.torch_api import lookup
from exportdb_rules.values import BARE, SEEN, UNKNOWN, Instance, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from exportdb_rules.finding import Edit, Position, Span
    from exportdb_rules.source import Lines
    from exportdb_rules.values import Value

# Attributes that lists, dicts, texts, numbers and modules have too, so that reading one proves nothing.
_COMMON: Final = frozenset(
    {"data", "type", "index", "split", "T", "real", "imag", "numpy", "values", "indices", "name", "to", "copy_", "count",
     "float", "double", "half", "bfloat16", "cpu", "cuda", "keys", "items", "apply_", "requires_grad_", "register_hook",
     "tolist", "is_cuda", "device", "dtype", "names", "layout", "conjugate", "clear", "append", "sort", "replace",
     "insert", "pop", "format", "title", "expandtabs", "zfill", "find", "map_"}
)  # fmt: skip
# Functions of torch whose first argument is a tensor, and nothing else.
_OF_LISTS: Final = frozenset(
    {"cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "row_stack", "block_diag",
     "meshgrid", "broadcast_tensors", "cartesian_prod", "tensor", "as_tensor", "asarray", "is_tensor", "scalar_tensor",
     "zeros", "ones", "empty", "full", "rand", "randn", "arange", "from_numpy", "pad_sequence", "einsum", "jit", "save"}
)  # fmt: skip
_BRANCHES: Final = (
    ast.If,
    ast.IfExp,
    ast.While,
    ast.For,
    ast.Try,
    ast.Match,
    ast.BoolOp,
    ast.comprehension,
    ast.Lambda,
)


class Evidence:
    """What a text shows of the values that convention alone takes for tensors. Each function is read once."""

    def __init__(self, body: Sequence[ast.stmt], lines: Lines, values: Mapping[Span, Value]) -> None:
        """`body` are the statements of the module, `values` what the interpreter says of its expressions."""
        self._lines = lines
        self._values = values
        self._functions = list(_functions(body))
        self._uses: dict[ast.AST, _Uses] = {}

    def assumed(self, edits: Sequence[Edit]) -> list[str]:
        """The expressions in what edits rewrite that convention alone takes for tensors, as they are written."""
        found: list[str] = []
        for function in self._functions:
            parts = (function, *getattr(function, "decorator_list", ()))
            start, end = min(self._lines.span(p).start for p in parts), self._lines.span(function).end
            if not any(_meet(start, end, edit.span) for edit in edits):
                continue
            if function not in self._uses:
                self._uses[function] = _Uses(function, self._lines, self._values)
            uses = self._uses[function]
            for path in uses.bare:
                if _rewritten(self._lines, path[-1], edits) and not uses.shown(path):
                    found.append(ast.unparse(path[-1]))
        return list(dict.fromkeys(found))


class _Uses:
    """The expressions of a function that convention takes for tensors."""

    def __init__(self, function: ast.AST, lines: Lines, values: Mapping[Span, Value]) -> None:
        self._lines = lines
        self._values = values
        self._parameters = {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
        self.bare = [path for path in _paths(function) if is_bare(values, lines, path[-1])]
        # By what they look like: the parts of branches that each use as a tensor stands in.
        self._proofs: dict[str, list[frozenset[int]]] = {}
        for path in self.bare:
            if _as_tensor(path, lines, values):
                # What only one side of a branch does says nothing of the other.
                sides = [
                    id(below)
                    for above, below in pairwise(path)
                    if isinstance(above, _BRANCHES) and not _always(above, below)
                ]
                self._proofs.setdefault(ast.dump(path[-1]), []).append(frozenset(sides))

    def shown(self, path: Sequence[ast.AST]) -> bool:
        """Whether the function uses an expression, wherever it computes it, as only a tensor can be used."""
        wanted = {ast.dump(path[-1])}
        for value in choices(self._values.get(self._lines.span(path[-1]), UNKNOWN)):
            if type(value) is Tensor and value.param in self._parameters:
                # What is computed from the parameter by operators alone is a tensor where the parameter is.
                wanted.add(ast.dump(ast.Name(value.param, ast.Load())))
        around = set(map(id, path))
        return any(sides <= around for one in wanted for sides in self._proofs.get(one, ()))


def is_bare(values: Mapping[Span, Value], lines: Lines, node: ast.AST) -> bool:
    """Whether an expression is a tensor by convention alone, or may be."""
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) or not isinstance(node.ctx, ast.Load):
        return False
    return any(_is_assumed(c) for c in choices(values.get(lines.span(node), UNKNOWN)))


def _is_assumed(value: Value) -> bool:
    return type(value) is Tensor and (value.sure == BARE or (value.param is not None and value.sure < SEEN))


def _always(above: ast.AST, below: ast.AST) -> bool:
    """Whether a part of a branch is computed whichever side is taken."""
    if isinstance(above, (ast.If, ast.IfExp, ast.While)):
        return below is above.test
    if isinstance(above, ast.For):
        return below is above.iter
    if isinstance(above, ast.BoolOp):
        return below is above.values[0]
    return isinstance(above, ast.Match) and below is above.subject


def _as_tensor(path: Sequence[ast.AST], lines: Lines, values: Mapping[Span, Value]) -> bool:
    """Whether the last expression of a path is used there as only a tensor can be used."""
    node, parent = path[-1], path[-2]
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _COMMON and lookup(f"Tensor.{parent.attr}") is not None
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.MatMult)
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Invert)
    if isinstance(parent, ast.Subscript) and parent.value is node:
        # Lists and texts have no rows and columns.
        index = parent.slice
        parts = index.elts if isinstance(index, ast.Tuple) else []
        return any(isinstance(p, ast.Slice) or (isinstance(p, ast.Constant) and p.value in (None, ...)) for p in parts)
    if isinstance(parent, ast.Call) and parent.func is not node:
        callee = parent.func
        value = values.get(lines.span(callee))
        if value is not None and all(
            isinstance(c, Instance) and c.cls is None and c.external.startswith("torch.nn.") and c.elements is None
            for c in choices(value)
        ):
            return True
        if not isinstance(callee, ast.Attribute) or not parent.args or parent.args[0] is not node:
            return False
        namespace = ast.unparse(callee.value)
        of_torch = namespace in ("torch", "F", "torch.nn.functional", "nn.functional", "torch.linalg", "torch.special")
        return of_torch and callee.attr not in _OF_LISTS
    return False


def _rewritten(lines: Lines, node: ast.AST, edits: Sequence[Edit]) -> bool:
    if not isinstance(node, ast.expr):
        return False
    span = lines.span(node)
    return any(_meet(span.start, span.end, edit.span) for edit in edits)


def _meet(start: Position, end: Position, span: Span) -> bool:
    return start < span.end and span.start < end


def _functions(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """The outermost functions of a module, those of its classes among them."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        else:
            stack += ast.iter_child_nodes(node)


def _paths(function: ast.AST) -> Iterator[tuple[ast.AST, ...]]:
    """The paths from a function down to each node in it."""
    stack: list[tuple[ast.AST, ...]] = [(function,)]
    while stack:
        path = stack.pop()
        yield path
        stack += [(*path, child) for child in ast.iter_child_nodes(path[-1])]
