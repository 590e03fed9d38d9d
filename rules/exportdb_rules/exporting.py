"""Which calls export a model: those that are given it, and those of a function of the file that is given it.

    def save(model, args):
        return torch.export.export(model, args)

    save(Net(), (torch.randn(2),))

Of such a function each call is an export: what it is given stands in the place of the parameters.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import defaults_of, dotted
from exportdb_rules.export_calls import Scope, calls_with, exported, exports_of, given, is_parameter
from exportdb_rules.namespaces import Local

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.definitions import ClassInfo, FunctionInfo, Module
    from exportdb_rules.export_calls import ExportCall

# So many calls of a function, and of one that calls it in turn.
_MOST: Final = (64, 16)
_GIVEN: Final = ("model", "args", "kwargs", "dynamic_shapes")
# What stands for nothing.
_UNKNOWN: Final = "…"


def calls_of(module: Module, target: ClassInfo | FunctionInfo) -> list[ExportCall]:
    """The calls of a file that export objects of a class, or a function."""
    read = exports_of(module)
    if read.by_model is None:
        read.by_model = {}
        for call in [one for written in read.calls for one in _as_called(written)]:
            model = exported(call.scope, call.model)
            if model is not None:
                read.by_model.setdefault(id(model), (model, []))[1].append(call)
    _, calls = read.by_model.get(id(target), (target, []))
    return calls


def _as_called(call: ExportCall, depth: int = 0) -> Iterator[ExportCall]:
    """A call, with what the function around it is given in each of its calls; as it is where nothing of that matters."""
    function = call.scope.names.node if isinstance(call.scope.names, Local) else None
    parts = {name: part for name in _GIVEN if (part := getattr(call, name)) is not None}
    found: list[ExportCall] = []
    if depth < len(_MOST) and isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        reader = _Reader(call.scope)
        parts = {name: reader.written_out(part) for name, part in parts.items()}
        if reader.parameters:
            others = {name: _Reader(call.scope).written_out(part) for name, part in call.options.items()}
            for scope, passed in islice(_calls(call.scope.names.file, function), _MOST[depth]):
                filled = _filled(parts, passed)
                options = _filled(others, passed)
                found += _as_called(replace(call, scope=scope, passed_on=True, options=options, **filled), depth + 1)
    yield from found or [call]


class _Reader(ast.NodeTransformer):
    """Expressions of a function as what is around it and its parameters are used in them; `parameters` are those met."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.parameters: set[str] = set()

    def written_out(self, node: ast.expr) -> ast.expr:
        """A copy with what the names of the function stand for in their place."""
        return self.visit(copy.deepcopy(node))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What a name stands for."""
        if is_parameter(self._scope, node.id):
            self.parameters.add(node.id)
            return node
        if node.id not in self._scope.names.scope:
            return node
        bound = self._scope.binding(node.id)
        if not isinstance(bound, ast.expr) or bound.lineno >= self._scope.row:
            return ast.copy_location(ast.Name(_UNKNOWN, ast.Load()), node)
        inner = _Reader(Scope(self._scope.names, bound.lineno))
        found = inner.written_out(bound)
        self.parameters |= inner.parameters
        return found


def _filled(parts: dict[str, ast.expr], passed: dict[str, ast.expr]) -> dict[str, ast.expr]:
    return {name: _Filled(passed).visit(copy.deepcopy(part)) for name, part in parts.items()}


class _Filled(ast.NodeTransformer):
    """Parameters replaced by what they are given."""

    def __init__(self, passed: dict[str, ast.expr]) -> None:
        self._passed = passed

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What a parameter is given; any other name as it is."""
        return self._passed.get(node.id, node)


def _calls(
    module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[tuple[Scope, dict[str, ast.expr]]]:
    """The calls of a function in its file: where each stands, and what it gives the parameters."""
    methods = {id(method.node): method for cls in module.classes for method in cls.methods.values()}
    info = next((f for f in module.functions if f.node is function), methods.get(id(function)))
    if info is None or f"{info.name}(" not in module.text:
        return
    callee = info.name if info.cls is None else f"self.{info.name}"
    found = [(node, names) for node, names in calls_with(module, f"{info.name}(") if dotted(node.func) == callee]
    defaults = defaults_of(function)
    for node, names in found:
        passed = given(info, node)
        if passed:
            yield Scope(names, node.lineno), {**defaults, **passed}
