"""The value of `dynamic_shapes=`, read from the text: which dimensions of which tensor it declares, and how.

Dicts, tuples and lists are followed through names, `**`, `dict(…)`, comprehensions over what is written out, and what is
put into them before the call (`shapes["x"] = …`, `collection[x] = …`). A specification that is built in another way
says nothing.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING, TypeAlias

from exportdb_rules.declared import KINDS
from exportdb_rules.definitions import dotted
from exportdb_rules.dynamic_shapes import UNREAD, Dimension, Dimensions
from exportdb_rules.export_calls import Scope, is_none
from exportdb_rules.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from exportdb_rules.dynamic_shapes import Path

# A dict by keys, a list or tuple, one dimension as it is written, or None for what is static.
Spec: TypeAlias = "dict[str | int, Spec] | list[Spec] | ast.expr | None"
_CHANGES = frozenset({"update", "append", "extend", "setdefault", "pop", "clear", "insert", "remove", "popitem"})
_DEEPEST = 12
# The form of torch 2.14 (torch/fx/experimental/dynamic_spec.py), in which sizes are unbacked.
_SPECS = frozenset({"ShapesSpec", "ParamsSpec", "TensorSpec", "DictSpec", "SeqSpec", "ObjectSpec"})
_VARIABLES = frozenset({"ShapeVar", "IntVar"})
# Before the name of a tensor that is a key of a `ShapesCollection`.
_TENSOR = "\0"


class NotRead(Exception):
    """The specification is built in a way that is not followed."""


def read_spec(scope: Scope, node: ast.expr) -> Spec:
    """A specification as it is written.

    Raises:
        NotRead: it is built in a way that is not followed.
    """
    return _Reader(scope).read(node)


def dimensions(scope: Scope, node: ast.expr, names: Sequence[str], args: ast.expr | None) -> Dimensions | None:
    """The dimensions that a specification declares for an entry with the parameters `names`, which a call gives `args`;
    None where that is not known."""
    try:
        declared: dict[Path, dict[int, Dimension]] = {}
        kinds: set[str] = set()
        for path, axis, written in declarations(scope, node, names, args):
            kind, dimension = declared_as(scope, written)
            if kind is not None:
                kinds.add(kind)
                declared.setdefault(path, {})[axis] = dimension
    except NotRead:
        return None
    return Dimensions.of(next((kind for kind in KINDS if kind in kinds), "auto"), names, declared)


def declarations(
    scope: Scope, node: ast.expr, names: Sequence[str], args: ast.expr | None
) -> Iterator[tuple[Path, int, ast.expr]]:
    """What a specification says of each dimension: the tensor that it is of, its index, and the expression as it is written.

    Raises:
        NotRead: it is built in a way that is not followed.
    """
    return _dimensions(_by_parameter(read_spec(scope, node), names, scope, args))


def declared_as(scope: Scope, written: ast.expr) -> tuple[str | None, Dimension]:
    """How one dimension is declared (one of `KINDS`; None if it is static), its name and its range.

    Raises:
        NotRead: nobody knows what it is.
    """
    kind = _kind(scope, written)
    return kind, _dimension(scope, scope.follow(written), kind)


def _by_parameter(spec: Spec, names: Sequence[str], scope: Scope, args: ast.expr | None) -> dict[str, Spec]:
    if isinstance(spec, list):
        return dict(zip(names, spec, strict=False))
    if not isinstance(spec, dict):
        raise NotRead
    found: dict[str, Spec] = {}
    for key, value in spec.items():
        if isinstance(key, int):
            raise NotRead
        found[_parameter(key, names, scope, args) if key.startswith(_TENSOR) else key] = value
    return found


def _parameter(key: str, names: Sequence[str], scope: Scope, args: ast.expr | None) -> str:
    """The parameter that is given the tensor of a name."""
    given = None if args is None else scope.follow(args)
    parts = given.elts if isinstance(given, (ast.Tuple, ast.List)) else []
    for name, part in zip(names, parts, strict=False):
        if isinstance(part, ast.Name) and part.id == key.removeprefix(_TENSOR):
            return name
    raise NotRead


def _dimensions(parameters: dict[str, Spec]) -> Iterator[tuple[Path, int, ast.expr]]:
    waiting: list[tuple[Path, Spec]] = [((name,), spec) for name, spec in parameters.items()]
    while waiting:
        path, spec = waiting.pop(0)
        if isinstance(spec, ast.expr):
            yield path, 0, spec  # a number that is dynamic
        elif isinstance(spec, list):
            # A tuple of dimensions, or one of the tensors in a tuple.
            if any(isinstance(part, (dict, list)) for part in spec):
                waiting += [((*path, i), part) for i, part in enumerate(spec)]
            else:
                yield from [(path, i, part) for i, part in enumerate(spec) if isinstance(part, ast.expr)]
        elif spec is not None:
            for key, part in spec.items():
                if isinstance(key, str):
                    waiting.append(((*path, key), part))
                elif isinstance(part, ast.expr):
                    yield path, key, part
                elif part is not None:
                    waiting.append(((*path, key), part))


class _Reader:
    """Reads specifications at one call. `_given` are the values of a comprehension's names."""

    def __init__(self, scope: Scope, given: dict[str, ast.expr] | None = None, depth: int = 0) -> None:
        self._scope = scope
        self._given = given or {}
        self._depth = depth

    def read(self, node: ast.expr) -> Spec:
        if self._depth > _DEEPEST:
            raise NotRead
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Dict):
            return self._dict(node)
        if isinstance(node, (ast.Tuple, ast.List)):
            return self._list(node)
        if isinstance(node, ast.Constant):
            return None if node.value is None else node
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, (ast.DictComp, ast.ListComp, ast.GeneratorExp)):
            return self._comprehension(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Add)):
            return self._binary(node)
        if isinstance(node, (ast.Attribute, ast.UnaryOp, ast.BinOp, ast.Subscript)):
            return node
        raise NotRead

    def _inner(self, node: ast.expr, given: dict[str, ast.expr] | None = None) -> Spec:
        return _Reader(self._scope, {**self._given, **(given or {})}, self._depth + 1).read(node)

    def _name(self, node: ast.Name) -> Spec:
        if node.id in self._given:
            return self._inner(self._given[node.id])
        bound = self._scope.binding(node.id)
        if not isinstance(bound, ast.expr):
            return node
        value = self._inner(bound)
        if isinstance(value, (dict, list)):
            self._change(node.id, value, bound.lineno)
        return node if isinstance(value, ast.expr) else value

    def _dict(self, node: ast.Dict) -> Spec:
        found: dict[str | int, Spec] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                more = self._inner(value)
                if not isinstance(more, dict):
                    raise NotRead
                found.update(more)
            else:
                found[self._key(key)] = self._inner(value)
        return found

    def _key(self, node: ast.expr) -> str | int:
        if isinstance(node, ast.Name) and node.id in self._given:
            node = self._given[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self._key(node.operand)
            if isinstance(inner, int):
                return -inner
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)):
            return node.value
        if isinstance(node, ast.Name):
            followed = self._scope.follow(node)
            if isinstance(followed, ast.Constant) and isinstance(followed.value, (str, int)):
                return followed.value
        raise NotRead

    def _list(self, node: ast.Tuple | ast.List) -> Spec:
        found: list[Spec] = []
        for part in node.elts:
            if isinstance(part, ast.Starred):
                more = self._inner(part.value)
                if not isinstance(more, list):
                    raise NotRead
                found += more
            else:
                found.append(self._inner(part))
        return found

    def _call(self, node: ast.Call) -> Spec:
        name = dotted(node.func).rpartition(".")[2]
        if name == "ShapesCollection" and not node.args:
            return {}
        if name == "dict":
            found: dict[str | int, Spec] = {}
            for part in [*node.args, *[k.value for k in node.keywords if k.arg is None]]:
                more = self._inner(part)
                if not isinstance(more, dict):
                    raise NotRead
                found.update(more)
            found.update({k.arg: self._inner(k.value) for k in node.keywords if k.arg is not None})
            return found
        if name in ("tuple", "list") and len(node.args) == 1:
            return self._inner(node.args[0])
        if name == "dynamic_shapes" and isinstance(node.func, ast.Attribute):
            return self._inner(node.func.value)  # of a ShapesCollection
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("copy", "deepcopy") and node.args:
            return self._inner(node.args[0])
        if name in _SPECS:
            return self._new_form(node)
        if name in ("Dim", "dims", "AUTO", "DYNAMIC", *_VARIABLES):
            return node
        raise NotRead

    def _new_form(self, node: ast.Call) -> Spec:
        """`ShapesSpec(ParamsSpec({"x": TensorSpec([rows, None])}))` and its parts: what each is given."""
        said = {keyword.arg: keyword.value for keyword in node.keywords}
        if "assumptions" in said or len(node.args) > 1:
            raise NotRead  # what else is promised may answer any guard
        part = node.args[0] if node.args else next(iter(said.values()), None)
        value = {} if part is None else self._inner(part)
        if isinstance(value, ast.expr) or (isinstance(value, dict) and any(str(key).startswith("*") for key in value)):
            raise NotRead
        return value

    def _comprehension(self, node: ast.DictComp | ast.ListComp | ast.GeneratorExp) -> Spec:
        if len(node.generators) != 1 or node.generators[0].ifs:
            raise NotRead
        target, over = node.generators[0].target, self._scope.follow(node.generators[0].iter)
        if isinstance(over, ast.Call) and dotted(over.func) == "range" and len(over.args) == 1:
            count = self._scope.follow(over.args[0])
            if isinstance(count, ast.Constant) and isinstance(count.value, int):
                over = ast.Tuple(
                    [ast.copy_location(ast.Constant(i), count) for i in range(min(count.value, 64))], ast.Load()
                )
        if not isinstance(target, ast.Name) or not isinstance(over, (ast.Tuple, ast.List)):
            raise NotRead
        if isinstance(node, ast.DictComp):
            pairs: dict[str | int, Spec] = {}
            for part in over.elts:
                inner = _Reader(self._scope, {**self._given, target.id: part}, self._depth + 1)
                pairs[inner._key(node.key)] = inner.read(node.value)
            return pairs
        return [self._inner(node.elt, {target.id: part}) for part in over.elts]

    def _binary(self, node: ast.BinOp) -> Spec:
        left, right = self._inner(node.left), self._scope.follow(node.right)
        if not isinstance(left, list):
            return node  # a derived dimension: `2 * batch`
        if isinstance(node.op, ast.Add):
            more = self._inner(node.right)
            if isinstance(more, list):
                return left + more
        elif isinstance(right, ast.Constant) and isinstance(right.value, int):
            return left * min(right.value, 64)
        raise NotRead

    def _change(self, name: str, value: dict[str | int, Spec] | list[Spec], row: int) -> None:
        """Put into a container what the statements between its making and the call put there."""
        for statement, straight in _changes(self._scope, name, row):
            keys = _keys(statement, name)
            if not straight or keys is None or not isinstance(statement, ast.Assign):
                raise NotRead
            inner: Spec = value
            for key in keys[:-1]:
                inner = self._step(inner, self._written_key(key))
            last = self._written_key(keys[-1])
            written = self._inner(statement.value)
            if isinstance(inner, dict):
                inner[last] = written
                continue
            if not isinstance(inner, list) or not isinstance(last, int) or not -len(inner) <= last < len(inner):
                raise NotRead
            inner[last] = written

    def _step(self, container: Spec, key: str | int) -> Spec:
        """What a container holds under a key; of a dict that has nothing there, a new dict."""
        if isinstance(container, dict):
            return container.setdefault(key, {})
        if isinstance(container, list) and isinstance(key, int) and -len(container) <= key < len(container):
            return container[key]
        raise NotRead

    def _written_key(self, node: ast.expr) -> str | int:
        try:
            return self._key(node)
        except NotRead:
            if isinstance(node, ast.Name):
                return _TENSOR + node.id
            raise


def _changes(scope: Scope, name: str, row: int) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements after a row and before the call that change the container of a name; whether each always runs."""
    names = scope.names
    while name not in names.scope and names.around is not None:
        names = names.around
    end = scope.row if names is scope.names else 1 << 60
    waiting = [(statement, True) for statement in names.body]
    while waiting:
        statement, straight = waiting.pop(0)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        inner: list[ast.stmt] = [
            part for field in ("body", "orelse", "finalbody") for part in getattr(statement, field, ())
        ]
        if inner:
            # What a `with` holds always runs.
            always = straight and isinstance(statement, (ast.With, ast.AsyncWith))
            waiting = [(part, always) for part in inner] + waiting
        elif row <= statement.lineno < end and _keys(statement, name) is not None:
            yield statement, straight


def _keys(statement: ast.stmt, name: str) -> list[ast.expr] | None:
    """The keys by which a statement changes a container: `c[a][b] = …`; [] for another way, None if it changes nothing."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            keys: list[ast.expr] = []
            while isinstance(target, ast.Subscript):
                keys.insert(0, target.slice)
                target = target.value
            if keys and isinstance(target, ast.Name) and target.id == name:
                return keys if len(statement.targets) == 1 else []
    elif isinstance(statement, (ast.AugAssign, ast.Delete)):
        targets = [statement.target] if isinstance(statement, ast.AugAssign) else statement.targets
        if any(isinstance(n, ast.Name) and n.id == name for target in targets for n in ast.walk(target)):
            return []
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        changed = function.value if isinstance(function, ast.Attribute) and function.attr in _CHANGES else None
        if changed is not None and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(changed)):
            return []
    return None


def _dimension(scope: Scope, node: ast.expr, kind: str | None) -> Dimension:
    """`name`, `min` and `max` of a `Dim(…)`, or of what derives from one."""
    low, high = _range(scope, node)
    unbacked = kind == "unbacked"
    if kind not in ("named", "unbacked"):
        return Dimension(None, low, high)
    if not isinstance(node, ast.BinOp):
        return Dimension(_name(node), low, high, unbacked)
    names = _Named(scope)
    written = ast.unparse(names.visit(copy.deepcopy(node)))
    term = Term.written(written)
    linear = None if term is None else term.linear
    if linear is None or linear[1] < 0 or len(names.dims) != 1:
        return Dimension(written, unbacked=unbacked)
    _, factor, rest = linear
    low, high = _range(scope, names.dims[0])
    return Dimension(written, low and factor * low + rest, None if high is None else factor * high + rest, unbacked)


def _range(scope: Scope, node: ast.expr) -> tuple[int, float | None]:
    """`min` and `max` of a call `Dim(…)`; 0 and None where it does not say them."""
    low, high = 0, None
    for keyword in node.keywords if isinstance(node, ast.Call) else ():
        term = Term.written(ast.unparse(scope.follow(keyword.value)))
        known = None if term is None else term.value
        if keyword.arg == "min":
            low = known or 0
        elif keyword.arg == "max" and not is_none(keyword.value):
            high = UNREAD if known is None else known
    return low, high


def _name(node: ast.expr) -> str | None:
    """The name that a call `Dim("rows")` gives."""
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        return str(node.args[0].value)
    return None


class _Named(ast.NodeTransformer):
    """Puts the name of each Dim in the place of the variable, or call, that a derived dimension is written with."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.dims: list[ast.expr] = []

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._named(node, self._scope.follow(node))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return self._named(node, node)

    def _named(self, node: ast.expr, dim: ast.expr) -> ast.expr:
        name = _name(dim)
        if name is None:
            return node
        self.dims.append(dim)
        return ast.Name(name, ast.Load())


def _kind(scope: Scope, written: ast.expr) -> str | None:
    """How one dimension is declared; None if it is static."""
    node = scope.follow(written)
    if isinstance(node, ast.Constant):
        # A name for an axis of an ONNX model is `Dim.DYNAMIC` to torch.export, which takes no names itself.
        return "dynamic" if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        if node.id == "STATIC":
            return None  # a name for None beside `TensorSpec`
        raise NotRead  # nobody knows what it was bound to
    if isinstance(node, ast.BinOp):
        # All of a derived dimension is of one kind.
        known = [part for part in (node.left, node.right) if not isinstance(scope.follow(part), ast.Constant)]
        return _kind(scope, known[0]) if known else None
    # `Dim.DYNAMIC(max=64)` is a call too.
    short = dotted(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2]
    if short == "STATIC":
        return None
    if short in ("AUTO", "DYNAMIC"):
        return short.lower()
    return "unbacked" if short in _VARIABLES else "named"


def is_new_form(scope: Scope, node: ast.expr) -> bool:
    """Whether a specification is a `ShapesSpec` or a part of one."""
    made = scope.follow(node)
    return isinstance(made, ast.Call) and dotted(made.func).rpartition(".")[2] in _SPECS
