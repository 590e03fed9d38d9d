"""The calls of a file that export its models: which model, with what inputs, under which dimensions.

They are read, not run. What a name stands for is the last plain assignment before the call, in the function around it
or at the top level; a name that is bound in another way, or changed by code that is not understood, stands for nothing.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from exportdb_rules.definitions import ClassInfo, FunctionInfo, Import, Module, dotted
from exportdb_rules.namespaces import namespaces

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_EXPORTERS = frozenset({"export", "draft_export", "export_for_training", "export_for_inference"})
# Many texts have the word, few a call of it; what stands between the two may be around the name.
_CALL = re.compile(rf"\b(?:{'|'.join(sorted(_EXPORTERS))})\b[\s)\\]*\(")
# Behind these a model is the same one.
_RETURN_SELF = frozenset(
    {"eval", "train", "to", "cpu", "cuda", "float", "double", "half", "bfloat16", "requires_grad_", "type"}
)
_DEEPEST = 8
# Behind every row.
ANYWHERE: Final = 1 << 60


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean at a row of a file: in the function around it, or at the top level."""

    names: Module
    row: int

    def binding(self, name: str) -> ast.expr | ClassInfo | FunctionInfo | Import | None:
        """What a name was last bound to before the row; None where that is not known."""
        names: Module | None = self.names
        row = self.row
        while names is not None:
            bound = names.scope.get(name)
            if bound is not None:
                if any(item is None for item in bound):
                    return None
                before = [item for item in bound if _row(item) < row]
                return before[-1] if before else bound[-1] if names is not self.names else None
            # What a function finds around it may stand below it.
            names, row = names.around, ANYWHERE
        return None

    def follow(self, node: ast.expr) -> ast.expr:
        """The expression that a name stands for; the name itself where that is none, or not known."""
        for _ in range(_DEEPEST):
            inner = self.binding(node.id) if isinstance(node, ast.Name) else None
            if not isinstance(inner, ast.expr):
                break
            node = inner
        return node

    def written_out(self, node: ast.expr) -> ast.expr:
        """A tuple, list or dict with what the names among its elements stand for in their place."""
        node = self.follow(node)
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [self.written_out(part) for part in node.elts]
            return ast.copy_location(type(node)(parts, ast.Load()), node)
        if isinstance(node, ast.Dict):
            return ast.copy_location(ast.Dict(node.keys, [self.written_out(part) for part in node.values]), node)
        return node


def _row(item: object) -> int:
    if isinstance(item, (ClassInfo, FunctionInfo)):
        return item.node.lineno
    return item.lineno if isinstance(item, ast.expr) else 0


@dataclass(frozen=True, slots=True)
class ExportCall:
    """A call of an export function. Expressions are those of the text; what was not given is None."""

    node: ast.Call
    scope: Scope
    model: ast.expr
    args: ast.expr | None = None
    kwargs: ast.expr | None = None
    dynamic_shapes: ast.expr | None = None
    strict: bool | None = None
    onnx: bool = False
    dynamo: bool | None = None
    """Whether `torch.onnx.export` is told to go through torch.export, or not to."""
    options: Mapping[str, ast.expr] = field(default_factory=dict[str, ast.expr], compare=False)
    """All that is given by name, and the file of `torch.onnx.export` as `f`."""


@dataclass(slots=True)
class _Read:
    """The calls of one file, and by the class or function that they export once somebody has asked for that."""

    calls: tuple[ExportCall, ...]
    by_model: dict[int, tuple[ClassInfo | FunctionInfo, list[ExportCall]]] | None = None


def export_calls(module: Module) -> tuple[ExportCall, ...]:
    """The calls of export functions in a file, in the order of the text. They are asked for at every entry of the file, so
    they are remembered."""
    return _read(module).calls


def _read(module: Module) -> _Read:
    module = module.file
    if module.exports is None:
        called = module.mentions("export") and _CALL.search(module.text) is not None
        found = tuple(_find(module)) if called else ()
        module.exports = _Read(found)
    return cast("_Read", module.exports)


def calls_of(module: Module, target: ClassInfo | FunctionInfo) -> list[ExportCall]:
    """The calls that export objects of a class, or a function."""
    read = _read(module)
    if read.by_model is None:
        read.by_model = {}
        for call in read.calls:
            model = exported(call.scope, call.model)
            if model is not None:
                read.by_model.setdefault(id(model), (model, []))[1].append(call)
    _, calls = read.by_model.get(id(target), (target, []))
    return calls


@dataclass(frozen=True, slots=True)
class Construction:
    """The call that makes an object, and what the names in it mean there."""

    node: ast.Call
    scope: Scope


def exported(scope: Scope, node: ast.expr) -> ClassInfo | FunctionInfo | None:
    """The class of the object that an expression makes (`Net(3)`, `Net(3).eval()`, a name for one), or the function that
    it is; None where that is not known."""
    return _followed(scope, node)[0]


def construction(scope: Scope, node: ast.expr) -> Construction | None:
    """The call that makes the object of an expression; None where that is not known."""
    return _followed(scope, node)[1]


def _followed(scope: Scope, node: ast.expr) -> tuple[ClassInfo | FunctionInfo | None, Construction | None]:
    for _ in range(_DEEPEST):
        if isinstance(node, ast.Name):
            bound = scope.binding(node.id)
            if isinstance(bound, FunctionInfo):
                return bound, None
            if not isinstance(bound, ast.expr):
                return None, None
            scope = Scope(scope.names, min(scope.row, bound.lineno)) if _is_local(scope, node.id) else scope
            node = bound
        elif isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Attribute) and function.attr in _RETURN_SELF:
                node = function.value
                continue
            made = _class(scope, function)
            return made, None if made is None else Construction(node, scope)
        else:
            return None, None
    return None, None


def _is_local(scope: Scope, name: str) -> bool:
    return name in scope.names.scope


def _class(scope: Scope, node: ast.expr) -> ClassInfo | None:
    if isinstance(node, ast.Name):
        bound = scope.binding(node.id)
        if isinstance(bound, ast.Name):
            return _class(Scope(scope.names, min(scope.row, bound.lineno)), bound)
        return bound if isinstance(bound, ClassInfo) else None
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            holder = scope.names
            while holder.around is not None:
                owner = next((c for c in holder.file.classes if holder.prefix.startswith(f"{c.name}.")), None)
                if owner is not None:
                    return owner.inner.get(node.attr)
                holder = holder.around
            return None
        outer = _class(scope, node.value)
        return None if outer is None else outer.inner.get(node.attr)
    return None


def _find(module: Module) -> Iterator[ExportCall]:
    locals_ = namespaces(module)
    stack: list[tuple[ast.AST, Module]] = [(node, module) for node in reversed(module.body)]
    rows = [row for row, line in enumerate(module.parsed, 1) if "export" in line]
    while stack:
        node, names = stack.pop()
        if isinstance(node, ast.stmt):
            first = min([node.lineno, *[decorator.lineno for decorator in getattr(node, "decorator_list", ())]])
            if bisect_left(rows, first) == bisect_right(rows, node.end_lineno or first):
                continue
        names = locals_.get(id(node), names)
        if isinstance(node, ast.Call):
            call = _call(node, names)
            if call is not None:
                yield call
        stack.extend((child, names) for child in reversed(list(ast.iter_child_nodes(node))))


def _call(node: ast.Call, names: Module) -> ExportCall | None:
    name = dotted(node.func)
    head, _, short = name.rpartition(".")
    onnx = short == "export" and head.rpartition(".")[2] == "onnx"
    if short not in _EXPORTERS or head.split(".")[0] in ("self", "cls"):
        return None
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    keywords = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
    positional = dict(zip(("model", "args", "f" if onnx else "kwargs"), node.args, strict=False))
    given = {**positional, **keywords}
    model = given.get("model", given.get("mod"))
    if model is None:
        return None
    strict, dynamo = given.get("strict"), given.get("dynamo")
    return ExportCall(
        node,
        Scope(names, node.lineno),
        model,
        _some(given.get("args")),
        _some(given.get("kwargs")),
        _some(given.get("dynamic_shapes")),
        bool(strict.value) if isinstance(strict, ast.Constant) else None,
        onnx,
        bool(dynamo.value) if isinstance(dynamo, ast.Constant) else None,
        {**keywords, **({"f": positional["f"]} if "f" in positional else {})},
    )


def _some(node: ast.expr | None) -> ast.expr | None:
    return None if isinstance(node, ast.Constant) and node.value is None else node
