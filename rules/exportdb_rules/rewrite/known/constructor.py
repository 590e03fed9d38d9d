"""The whole numbers that a constructor works with: from the one call that makes an object, or from the defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.tree import below, calls, dotted, integer, method, statements, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Scope = dict[str, "int | tuple[int, ...]"]
_MAX_CLASSES: Final = 4
_OPERATIONS: Final[dict[type[cst.BaseBinaryOp], Callable[[int, int], int]]] = {
    cst.Add: lambda a, b: a + b,
    cst.Subtract: lambda a, b: a - b,
    cst.Multiply: lambda a, b: a * b,
    cst.FloorDivide: lambda a, b: a // b if b else 0,
    cst.Modulo: lambda a, b: a % b if b else 0,
}


def evaluated(node: cst.BaseExpression, scope: Mapping[str, int | tuple[int, ...]]) -> int | tuple[int, ...] | None:
    """The whole number, or the tuple of them, that an expression gives; None where that is not known."""
    if isinstance(node, cst.Integer):
        return integer(node)
    if isinstance(node, (cst.Name, cst.Attribute)):
        return scope.get(dotted(node))
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = evaluated(node.expression, scope)
        return -inner if isinstance(inner, int) else None
    if isinstance(node, cst.BinaryOperation):
        left, right = evaluated(node.left, scope), evaluated(node.right, scope)
        operation = _OPERATIONS.get(type(node.operator))
        return operation(left, right) if operation and isinstance(left, int) and isinstance(right, int) else None
    if isinstance(node, (cst.Tuple, cst.List)):
        parts = [evaluated(e.value, scope) for e in node.elements]
        found = tuple([p for p in parts if isinstance(p, int)])
        return found if len(found) == len(parts) else None
    return None


def constructed(module: cst.Module, owner: cst.ClassDef, depth: int = 0) -> Scope:
    """The whole numbers of a class's `__init__`: its names, and the attributes that it sets (`self.size`).

    Where the text makes one object of the class, its arguments count, else the defaults.
    """
    made = method(owner, "__init__")
    if made is None:
        return {}
    scope: Scope = {}
    given = parameters(made)[1:]
    for parameter in given:
        if parameter.default is not None:
            _learn(scope, parameter.name.value, evaluated(parameter.default, {}))
    for name, value in _arguments(module, owner, [p.name.value for p in given], depth).items():
        scope.pop(name, None)
        _learn(scope, name, value)
    within = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.For, cst.While)
    for node in [n for line in statements(made.body) for n in below(line, cst.Assign, outside=within)]:
        pairs = [pair for target in node.targets for pair in unpacked(target.target, node.value)]
        for name, value in [(name, evaluated(part, scope)) for name, part in pairs]:
            if name in scope and scope[name] != value:
                # Given twice: nothing is sure.
                value = None
                scope.pop(name)
            _learn(scope, name, value)
    return scope


def _learn(scope: Scope, name: str, value: int | tuple[int, ...] | None) -> None:
    if name and value is not None:
        scope[name] = value


def _arguments(
    module: cst.Module, owner: cst.ClassDef, given: list[str], depth: int
) -> dict[str, int | tuple[int, ...] | None]:
    """What the one call that makes an object of the class gives to each parameter; {} where there is no one call."""
    found = [(top, call) for top, call in calls(module, owner.name.value) if isinstance(call.func, cst.Name)]
    codes = {module.code_for_node(call) for _, call in found}
    if len(codes) != 1 or depth >= _MAX_CLASSES:
        return {}
    around, call = found[0]
    if any(arg.star for arg in call.args):
        return dict.fromkeys(given)
    scope = constructed(module, around, depth + 1) if isinstance(around, cst.ClassDef) and around is not owner else {}
    values: dict[str, int | tuple[int, ...] | None] = {}
    for position, arg in enumerate(call.args):
        name = arg.keyword.value if arg.keyword is not None else given[position] if position < len(given) else ""
        values[name] = evaluated(arg.value, scope)
    return values
