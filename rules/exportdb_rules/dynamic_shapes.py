"""What a file says of its dimensions: `dynamic_shapes=` of an export call, or ExportDB's module-level name."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from exportdb_rules.declared import KINDS
from exportdb_rules.project import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.project import FunctionInfo, Module

# Where a tensor is among the inputs: a parameter, then indices and keys into what it is given.
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dynamic dimension: `name` is what two of one size share (None: nothing is said), the rest its range."""

    name: str | None = None
    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Which dimensions of an entry's tensors are dynamic: their indices by parameter, and how they were declared.

    `parameters` None means that every tensor has the dimensions `everywhere`; an empty `everywhere` with
    `all_dimensions` unset means none at all. `low` and `high` bound all of them, as far as every `Dim` says so.
    """

    kind: str = "auto"
    parameters: dict[str, frozenset[int]] | None = None
    all_dimensions: bool = False
    everywhere: frozenset[int] = frozenset()
    low: int = 0
    high: int | None = None
    declared: dict[Path, dict[int, Dimension]] = field(default_factory=dict[Path, dict[int, Dimension]])
    """What is said of each dimension that is dynamic, by tensor and index, which may count from the end."""
    example: ast.expr | None = None
    """The arguments that the call of an export function which declares them is given."""

    @classmethod
    def of(cls, kind: str, names: Iterable[str], declared: dict[Path, dict[int, Dimension]]) -> Dimensions:
        """What is said of each dimension that is dynamic, of an entry with the parameters `names`; all others are static."""
        parameters: dict[str, frozenset[int]] = dict.fromkeys(names, frozenset())
        for path, dimensions in declared.items():
            parameters[str(path[0])] = parameters.get(str(path[0]), frozenset()) | frozenset(dimensions)
        said = [dimension for dimensions in declared.values() for dimension in dimensions.values()]
        highs = [dimension.high for dimension in said]
        return cls(
            kind,
            parameters,
            low=min((dimension.low for dimension in said), default=0),
            high=None if None in highs else max((h for h in highs if h is not None), default=None),
            declared=declared,
        )

    @property
    def any(self) -> bool:
        """Whether any dimension is dynamic."""
        return self.all_dimensions or bool(self.everywhere) or any((self.parameters or {}).values())

    def indices(self) -> frozenset[int]:
        """The indices at which some parameter is dynamic."""
        if self.parameters is None:
            return self.everywhere
        return frozenset().union(*self.parameters.values())  # pyright: ignore[reportUnknownVariableType]

    def key(self) -> tuple[object, ...]:
        """What tells two of them apart where functions are memoised."""
        return (self.kind, self.all_dimensions, self.indices(), self.low, self.high)


NONE: Final = Dimensions()
BATCH: Final = Dimensions("assumed", everywhere=frozenset({0}))
ALL: Final = Dimensions("assumed", all_dimensions=True)


def assumed(setting: str) -> Dimensions:
    """The dimensions that `--assume-dynamic` stands for."""
    return {"none": NONE, "batch": BATCH, "all": ALL}[setting]


def declared(module: Module, class_name: str | None, function: FunctionInfo) -> Dimensions | None:
    """The dimensions that the file asks to be dynamic when it exports this entry; None if it says nothing."""
    if not module.mentions("dynamic_shapes"):
        return None
    found: list[tuple[_Scope, ast.expr, ast.expr | None]] = []
    scope = _Scope(module, {})
    own_model = scope.binding("model")
    if own_model is not None and _constructs(scope, own_model, class_name):
        spec = scope.binding("dynamic_shapes")
        if spec is not None:
            found.append((scope, spec, None))
    for call in _exports(module):
        if _constructs(call.scope, call.model, class_name):
            found.append((call.scope, call.shapes, call.example))
    for scope, spec, example in found:
        dimensions = _read(scope, spec, function)
        if dimensions is not None and dimensions.any:
            return replace(dimensions, example=None if example is None else _written_out(scope, example))
    return None


@dataclass(frozen=True, slots=True)
class _Scope:
    """What names mean at an export call: those of the function, or the `if`, around it, then the module's own."""

    module: Module
    local: dict[str, ast.expr]

    def binding(self, name: str) -> ast.expr | None:
        """The expression that a name was last bound to; None where that is none, or not known."""
        if name in self.local:
            return self.local[name]
        bound = self.module.scope.get(name)
        last = bound[-1] if bound else None
        return last if isinstance(last, ast.expr) else None


@dataclass(frozen=True, slots=True)
class _Export:
    """A call of an export function that declares dimensions: of which model, which, and with what example."""

    scope: _Scope
    model: ast.expr
    shapes: ast.expr
    example: ast.expr | None


def _exports(module: Module) -> tuple[_Export, ...]:
    """The export calls of a file that declare dimensions; asked for every entry of it, so they are remembered."""
    if module.exports is None:
        module.exports = tuple(_read_exports(module))
    return cast("tuple[_Export, ...]", module.exports)


def _read_exports(module: Module) -> Iterator[_Export]:
    for statement in module.body:
        scope: _Scope | None = None
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            keywords = {keyword.arg: keyword.value for keyword in node.keywords}
            shapes = keywords.get("dynamic_shapes")
            if shapes is not None and dotted(node.func).rpartition(".")[2] in ("export", "draft_export"):
                scope = scope or _Scope(module, _assigned(statement))
                example = keywords.get("args", node.args[1] if len(node.args) > 1 else None)
                yield _Export(scope, node.args[0], shapes, example)


def _assigned(statement: ast.stmt) -> dict[str, ast.expr]:
    """The plain assignments to names in a statement of the top level that is a function, or an `if __name__ …`."""
    found: dict[str, ast.expr] = {}
    if isinstance(statement, (ast.FunctionDef, ast.If, ast.With, ast.Try)):
        for node in ast.walk(statement):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    found.update(_pairs(target, node.value))
    return found


def _pairs(target: ast.expr, value: ast.expr) -> dict[str, ast.expr]:
    if isinstance(target, ast.Name):
        return {target.id: value}
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return {one.id: other for one, other in zip(target.elts, value.elts, strict=True) if isinstance(one, ast.Name)}
    return {}


def _written_out(scope: _Scope, node: ast.expr) -> ast.expr:
    """The arguments of an example, with what the names among them are bound to in their place."""
    node = _follow(scope, node)
    if isinstance(node, (ast.Tuple, ast.List)):
        return ast.copy_location(ast.Tuple([_follow(scope, part) for part in node.elts], ast.Load()), node)
    return node


def _constructs(scope: _Scope, node: ast.expr, class_name: str | None) -> bool:
    """Whether an expression is an object of the class, or the function itself."""
    for _ in range(4):
        if isinstance(node, ast.Name):
            if node.id == class_name:
                return True
            inner = scope.binding(node.id)
            if inner is None:
                return False
            node = inner
        elif isinstance(node, ast.Call):
            # Net(3), Net(3).eval(), Net(3).to(device)
            if isinstance(node.func, ast.Attribute):
                node = node.func.value
            elif isinstance(node.func, ast.Name):
                return node.func.id == class_name
            else:
                return False
        else:
            return False
    return False


def _read(scope: _Scope, node: ast.expr, function: FunctionInfo) -> Dimensions | None:
    node = _follow(scope, node)
    args = function.node.args
    names = [a.arg for a in (*args.posonlyargs, *args.args)]
    if function.cls is not None and names:
        names = names[1:]
    pairs: list[tuple[str, ast.expr]] = []
    if isinstance(node, ast.Dict):
        pairs = [
            (str(key.value), value)
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant)
        ]
    elif isinstance(node, (ast.Tuple, ast.List)):
        pairs = list(zip(names, node.elts, strict=False))
    else:
        return None
    kinds: set[str] = set()
    every: dict[Path, dict[int, Dimension]] = {}
    for name, value in pairs:
        for index, written in _dimensions(_follow(scope, value)):
            said_of_it = _follow(scope, written)
            kind = _kind(said_of_it)
            if kind is not None:
                kinds.add(kind)
                every.setdefault((name,), {})[index] = _dimension(said_of_it, kind)
    return Dimensions.of(next((kind for kind in KINDS if kind in kinds), "auto"), names, every)


def _dimension(node: ast.expr, kind: str) -> Dimension:
    """`name`, `min` and `max` of a `Dim(…)`."""
    low, high, name = 0, None, None
    if kind == "named" and isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        name = str(node.args[0].value)
    elif kind == "named" and isinstance(node, ast.BinOp):
        name = ast.unparse(node)
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, int):
                if keyword.arg == "min":
                    low = keyword.value.value
                elif keyword.arg == "max":
                    high = keyword.value.value
    return Dimension(name, low, high)


def _follow(scope: _Scope, node: ast.expr) -> ast.expr:
    for _ in range(4):
        if not isinstance(node, ast.Name):
            break
        inner = scope.binding(node.id)
        if inner is None:
            break
        node = inner
    return node


def _dimensions(node: ast.expr) -> list[tuple[int, ast.expr]]:
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return [(index, value) for key, value in pairs if (index := _index(key)) is not None]
    return list(enumerate(node.elts)) if isinstance(node, (ast.Tuple, ast.List)) else []


def _index(node: ast.expr | None) -> int | None:
    """The number of a dimension, which may count from the end."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _index(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _kind(node: ast.expr) -> str | None:
    """How one dimension is declared; None if it is static."""
    if isinstance(node, ast.Constant):
        return None
    # `Dim.DYNAMIC(max=64)` is a call too.
    short = dotted(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2]
    if short == "STATIC":
        return None
    if short in ("AUTO", "DYNAMIC"):
        return short.lower()
    return "named"
