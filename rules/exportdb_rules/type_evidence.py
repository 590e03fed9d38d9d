"""What shows that a parameter is a tensor: an edit that cannot change what eager computes needs more than convention.

The interpreter takes a parameter of an entry for a tensor where nothing says what it is (`values.Evidence.ASSUMED`). That is good for
findings, whose confidence says so. A list, a tuple, a dict, a text or an array of numpy may stand there as well, and code
that served them too must serve them still when it is rewritten without anybody's looking at it. The same goes for a
parameter of a function that is no entry: what the traced calls pass says nothing of its other callers.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from exportdb_rules.lattice import choices
from exportdb_rules.torch_api import lookup
from exportdb_rules.values import TOP, Instance, Tensor, is_assumed

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

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
# Attributes that numpy's arrays have as well.
_OF_ARRAYS: Final = frozenset(
    {"all", "any", "argmax", "argmin", "argsort", "clip", "conj", "cumprod", "cumsum", "diagonal", "dot", "fill", "flatten",
     "item", "itemsize", "mT", "max", "mean", "min", "nbytes", "ndim", "nonzero", "prod", "put", "ravel", "repeat",
     "reshape", "resize", "round", "searchsorted", "shape", "size", "squeeze", "std", "sum", "swapaxes", "take", "trace",
     "transpose", "var", "view"}
)  # fmt: skip
# Of those, the ones that give no array.
_PLAIN: Final = frozenset({"item", "itemsize", "nbytes", "ndim", "shape", "size"})
# What these functions give does not depend on the type of what they are given.
_CONVERSIONS: Final = frozenset({"bool", "float", "int", "isinstance", "len", "str"})
# Modules of torch that take other things than tensors.
_LENIENT_MODULES: Final = frozenset({"Identity", "RNN", "LSTM", "GRU", "DataParallel", "ModuleList", "ModuleDict"})
# Annotations that promise nothing, or an array as well.
_LOOSE: Final = frozenset({"Any", "object", "ndarray", "NDArray", "ArrayLike"})
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


class TypeEvidence:
    """What a text shows of the values that convention alone takes for tensors. Each function is read once."""

    def __init__(
        self, body: Sequence[ast.stmt], lines: Lines, values: Mapping[Span, Value], entries: Container[ast.AST] = ()
    ) -> None:
        """`body` are the statements of the module, `values` what the interpreter says of its expressions, `entries` the
        functions whose parameters it knows from annotations, from calls or by convention."""
        self._body = body
        self._lines = lines
        self._values = values
        self._entries = entries
        found = [(_place(lines, function), function) for function in _functions(body)]
        # No two of them overlap.
        found.sort(key=lambda one: one[0])
        self._functions = [function for _, function in found]
        self._starts = [start for (start, _), _ in found]
        self._ends = [end for (_, end), _ in found]
        self._tries: list[ast.Try] | None = None
        self._uses: dict[ast.AST, _Uses] = {}
        self._untraced: set[str] | None = None

    def assumed(self, edits: Sequence[Edit], *, arrays: bool = False) -> list[str]:
        """The expressions in what edits rewrite that convention alone takes for what they are, as they are written.
        `arrays`: the edits are right for numpy's arrays as well."""
        found: list[str] = []
        for function in self._edited(edits):
            if function not in self._uses:
                self._uses[function] = _Uses(function, self._lines, self._values, self._open(function))
            uses = self._uses[function]
            for path in uses.bare:
                if _rewritten(self._lines, path[-1], edits) and not uses.shown(path, arrays=arrays):
                    found.append(ast.unparse(path[-1]))
        return list(dict.fromkeys(found))

    def caught(self, edits: Sequence[Edit]) -> bool:
        """Whether an edit stands where the code catches exceptions: it may tell one that is raised in another way."""
        if self._tries is None:
            nodes = (node for function in self._functions for node in ast.walk(function))
            self._tries = [node for node in nodes if isinstance(node, ast.Try) and node.handlers]
        return any(_rewritten(self._lines, part, edits) for one in self._tries for part in one.body)

    def passed(self, edits: Sequence[Edit]) -> bool:
        """Whether what edits rewrite is computed from parameters of a function that is no entry: of their dtypes nothing is
        known but what the traced calls pass, whatever their annotations."""
        for function in self._edited(edits):
            names = (
                {one.arg for one in self._parameters(function)}
                if _rewritten(self._lines, function, edits)
                else set[str]()
            )
            nodes = [*ast.walk(function)] if names else []
            bindings = [(_names(target), _names(value)) for node in nodes for target, value in _bindings(node)]
            while more := {name for to, of in bindings if of & names for name in to} - names:
                names |= more
            if any(isinstance(n, ast.Name) and n.id in names and _rewritten(self._lines, n, edits) for n in nodes):
                return True
        return False

    def _edited(self, edits: Sequence[Edit]) -> list[ast.AST]:
        """The functions that edits stand in."""
        found: set[int] = set()
        for edit in edits:
            first = bisect_right(self._ends, edit.span.start)
            found.update(range(first, bisect_left(self._starts, edit.span.end, first)))
        return [self._functions[index] for index in sorted(found)]

    def _open(self, function: ast.AST) -> frozenset[str]:
        """The parameters of a function that is no entry, of which neither an annotation nor all its calls tell."""
        open_ = [one for one in self._parameters(function) if one.annotation is None or _loose(one.annotation)]
        return frozenset(one.arg for one in open_)

    def _parameters(self, function: ast.AST) -> list[ast.arg]:
        """The parameters of a function that others than the traced calls may call; none of another function."""
        assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        if function in self._entries or (function.name.startswith("_") and not self._called_elsewhere(function.name)):
            return []
        given = function.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        every += [one for one in (given.vararg, given.kwarg) if one is not None]
        return [one for one in every if one.arg not in ("self", "cls")]

    def _called_elsewhere(self, name: str) -> bool:
        """Whether the file mentions a private function where nothing was traced."""
        if self._untraced is None:
            mentions = (n for s in self._body for n in ast.walk(s) if isinstance(n, (ast.Name, ast.Attribute)))
            self._untraced = {
                node.id if isinstance(node, ast.Name) else node.attr
                for node in mentions
                if self._lines.span(node) not in self._values
            }
        return name in self._untraced


class _Uses:
    """The expressions of a function that convention takes for what they are. `open_`: parameters that may be anything."""

    def __init__(
        self, function: ast.AST, lines: Lines, values: Mapping[Span, Value], open_: frozenset[str] = frozenset()
    ) -> None:
        self._lines = lines
        self._values = values
        self._parameters = {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
        paths = list(_paths(function))
        anything = _Anything(open_, [path[-1] for path in paths]) if open_ else None
        self.bare = [
            path
            for path in paths
            if is_bare(values, lines, path[-1]) or (anything is not None and anything.reaches(path[-1]))
        ]
        # By what they look like: the parts of branches that each use stands in, as a tensor or at least an array.
        self._proofs: dict[bool, dict[str, list[frozenset[int]]]] = {False: {}, True: {}}
        for path in self.bare:
            kind = _as_tensor(path, lines, values)
            if kind is not None:
                # What only one side of a branch does says nothing of the other.
                sides = [
                    id(below)
                    for above, below in pairwise(path)
                    if isinstance(above, _BRANCHES) and not _always(above, below)
                ]
                self._proofs[kind == "array"].setdefault(ast.dump(path[-1]), []).append(frozenset(sides))

    def shown(self, path: Sequence[ast.AST], *, arrays: bool) -> bool:
        """Whether the function uses an expression, wherever it computes it, as only a tensor can be used; or, with
        `arrays`, only a tensor and an array."""
        wanted = {ast.dump(path[-1])}
        for value in choices(self._values.get(self._lines.span(path[-1]), TOP)):
            if type(value) is Tensor and value.param in self._parameters:
                # What is computed from the parameter by operators alone is a tensor where the parameter is.
                wanted.add(ast.dump(ast.Name(value.param, ast.Load())))
        around = set(map(id, path))
        proofs = [self._proofs[kind] for kind in ((False, True) if arrays else (False,))]
        return any(sides <= around for proof in proofs for one in wanted for sides in proof.get(one, ()))


class _Anything:
    """The names of a function whose values may be of any type, as those of parameters that may be anything are."""

    def __init__(self, parameters: frozenset[str], nodes: Sequence[ast.AST]) -> None:
        self._names = set(parameters)
        bindings = [(target, value) for node in nodes for target, value in _bindings(node)]
        known = 0
        while known != len(self._names):
            known = len(self._names)
            for target, value in bindings:
                if self.reaches(value):
                    self._names |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}

    def reaches(self, node: ast.AST) -> bool:
        """Whether the type of an expression depends on the type of one of the parameters."""
        if isinstance(node, ast.Name):
            return isinstance(node.ctx, ast.Load) and node.id in self._names
        if isinstance(node, ast.Attribute):
            kept = node.attr in _COMMON or (node.attr in _OF_ARRAYS and node.attr not in _PLAIN)
            return kept and self.reaches(node.value)
        if isinstance(node, ast.Subscript):
            return self.reaches(node.value)
        if isinstance(node, ast.Call):
            if ast.unparse(node.func) in _CONVERSIONS or _of_torch(node.func):
                return False
            return any(map(self.reaches, (node.func, *node.args, *[k.value for k in node.keywords])))
        if isinstance(node, (ast.Lambda, ast.Constant)):
            return False
        return isinstance(node, (ast.expr, ast.comprehension)) and any(map(self.reaches, ast.iter_child_nodes(node)))


def _bindings(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr]]:
    """What a statement or an expression binds, and to what."""
    if isinstance(node, ast.Assign):
        yield from [(target, node.value) for target in node.targets]
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield node.target, node.iter
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _loose(annotation: ast.expr) -> bool:
    """Whether an annotation leaves open what a parameter is."""
    found = {
        n.id if isinstance(n, ast.Name) else n.attr
        for n in ast.walk(annotation)
        if isinstance(n, (ast.Name, ast.Attribute))
    }
    return not _LOOSE.isdisjoint(found)


def _of_torch(callee: ast.expr) -> bool:
    """Whether what is called is a function of torch."""
    namespaces = ("torch", "F", "torch.nn.functional", "nn.functional", "torch.linalg", "torch.special")
    return isinstance(callee, ast.Attribute) and ast.unparse(callee.value) in namespaces


def is_bare(values: Mapping[Span, Value], lines: Lines, node: ast.AST) -> bool:
    """Whether an expression is a tensor by convention alone, or may be."""
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) or not isinstance(node.ctx, ast.Load):
        return False
    return any(is_assumed(c) for c in choices(values.get(lines.span(node), TOP)))


def _always(above: ast.AST, below: ast.AST) -> bool:
    """Whether a part of a branch is computed whichever side is taken."""
    if isinstance(above, (ast.If, ast.IfExp, ast.While)):
        return below is above.test
    if isinstance(above, ast.For):
        return below is above.iter
    if isinstance(above, ast.BoolOp):
        return below is above.values[0]
    return isinstance(above, ast.Match) and below is above.subject


def _as_tensor(
    path: Sequence[ast.AST], lines: Lines, values: Mapping[Span, Value]
) -> Literal["tensor", "array"] | None:
    """Whether the last expression of a path is used there as only a tensor can be used, or only a tensor and an array."""
    node, parent = path[-1], path[-2]
    if isinstance(parent, ast.Attribute):
        if parent.attr in _COMMON or lookup(f"Tensor.{parent.attr}") is None:
            return None
        return "array" if parent.attr in _OF_ARRAYS else "tensor"
    if isinstance(parent, ast.BinOp):
        return "array" if isinstance(parent.op, ast.MatMult) else None
    if isinstance(parent, ast.Subscript) and parent.value is node:
        # Lists and texts have no rows and columns.
        index = parent.slice
        parts = index.elts if isinstance(index, ast.Tuple) else []
        rows = any(isinstance(p, ast.Slice) or (isinstance(p, ast.Constant) and p.value in (None, ...)) for p in parts)
        return "array" if rows else None
    if isinstance(parent, ast.Call) and parent.func is not node:
        callee = parent.func
        value = values.get(lines.span(callee))
        if value is not None and all(
            isinstance(c, Instance)
            and c.cls is None
            and c.external.startswith("torch.nn.")
            and c.external.rpartition(".")[2] not in _LENIENT_MODULES
            and c.elements is None
            for c in choices(value)
        ):
            return "tensor"
        if not isinstance(callee, ast.Attribute) or not parent.args or parent.args[0] is not node:
            return None
        return "tensor" if _of_torch(callee) and callee.attr not in _OF_LISTS else None
    return None


def _rewritten(lines: Lines, node: ast.AST, edits: Sequence[Edit]) -> bool:
    if not isinstance(node, (ast.expr, ast.stmt)):
        return False
    span = lines.span(node)
    return any(_meet(span.start, span.end, edit.span) for edit in edits)


def _meet(start: Position, end: Position, span: Span) -> bool:
    return start < span.end and span.start < end


def _place(lines: Lines, function: ast.AST) -> tuple[Position, Position]:
    """Where a function begins, its decorators included, and where it ends."""
    parts = (function, *getattr(function, "decorator_list", ()))
    return min(lines.span(part).start for part in parts), lines.span(function).end


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
