"""Which calls export a model: those that are given it, and those of a function of the file that is given it.

    def save(model, args):
        return torch.export.export(model, args)

    save(Net(), (torch.randn(2),))

Of such a function each call is an export: what it is given stands in the place of the parameters. So does each iteration of
a loop over models that are written out, and each set of arguments that `parametrize` gives a test.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import defaults_of, dotted
from exportdb_rules.export_calls import Scope, assigned, calls_with, exported, exports_of, given, is_parameter, origin
from exportdb_rules.export_iterations import Substitution, changed, iterations
from exportdb_rules.namespaces import Local

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.definitions import ClassInfo, FunctionInfo, Module
    from exportdb_rules.export_calls import ExportCall, Origin

# So many calls of a function, and of one that calls it in turn.
_MOST: Final = (64, 16)
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


def origin_of(call: ExportCall) -> Origin:
    """Where the model of a call comes from."""
    found = origin(call.scope, call.model)
    return replace(found, chosen=call.chosen + found.chosen)


def _as_called(call: ExportCall, depth: int = 0) -> Iterator[ExportCall]:
    """A call, with what the function around it is given in each of its calls; as it is where nothing of that matters."""
    for each in iterations(call):
        function = each.scope.names.node if isinstance(each.scope.names, Local) else None
        found: list[ExportCall] = []
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            reader = _Reader(each.scope)
            # What is written out has no place of its own any more, between whose rows a mode could be chosen.
            kept = replace(each, chosen=each.chosen + origin(each.scope, each.model).chosen)
            written = changed(kept, reader.written_out)
            if reader.parameters and depth < len(_MOST):
                for node, scope, passed in islice(_calls(each.scope.names.file, function), _MOST[depth]):
                    filled = changed(written, _Filled(passed).written_out)
                    found += _as_called(replace(filled, scope=scope, passed_on=True, place=node), depth + 1)
            elif reader.attributes:
                each = written
        yield from found or [each]


class _Reader(Substitution):
    """Expressions of a function as what is around it, and its parameters, are used in them. `parameters` are those met,
    `attributes` the attributes of `self` that were."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.parameters: set[str] = set()
        self.attributes: set[str] = set()

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What a name stands for."""
        if is_parameter(self._scope, node.id):
            self.parameters.add(node.id)
            return node
        if self._scope.names.around is None or node.id not in self._scope.names.scope:
            return node
        bound = self._scope.binding(node.id)
        if not isinstance(bound, ast.expr) or bound.lineno >= self._scope.row:
            return ast.copy_location(ast.Name(_UNKNOWN, ast.Load()), node)
        inner = _Reader(Scope(self._scope.names, bound.lineno))
        found = inner.written_out(bound)
        self.parameters |= inner.parameters
        self.attributes |= inner.attributes
        return found

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """What the class gives an attribute of `self`, where only one thing does."""
        place = assigned(self._scope, node)
        if place is None:
            return self.generic_visit(node)
        self.attributes.add(node.attr)
        inner = _Reader(place[0])
        found = inner.written_out(place[1])
        return ast.copy_location(ast.Name(_UNKNOWN, ast.Load()), node) if inner.parameters else found


class _Filled(Substitution):
    """Parameters replaced by what they are given."""

    def __init__(self, passed: dict[str, ast.expr]) -> None:
        self._passed = passed

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What a parameter is given; any other name as it is."""
        return self._passed.get(node.id, node)


def _calls(
    module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[tuple[ast.Call, Scope, dict[str, ast.expr]]]:
    """The calls of a function in its file, where each stands, and what it gives the parameters."""
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
            yield node, Scope(names, node.lineno), {**defaults, **passed}
