"""Decorators that check what a function is called with against its annotations: beartype and typeguard.

While non-strict export traces, a dynamic size and a number from a tensor are a `torch.SymInt`, which is no `int`: the check
raises (cases `isinstance_guard`, `isinstance_guard_item`; measured with beartype 0.23 and typeguard 4.6).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Converted
from exportdb_rules.interpreter.parameters import of_annotation
from exportdb_rules.lattice import Sequence, choices
from exportdb_rules.values import Const, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    from exportdb_rules.interpreter.environment import Environment
    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.project import FunctionInfo

_CHECKERS: Final = frozenset(
    {
        "beartype.beartype",
        "beartype._decor.decormain.beartype",
        "typeguard.typechecked",
        "typeguard._decorators.typechecked",
    }
)
_SHORT: Final = ("beartype", "typechecked")


def check_types(frame: Frame, node: ast.AST, info: FunctionInfo, env: Environment) -> None:
    """What a checked function is called with: the symbols where it asks for plain numbers."""
    if not frame.traced or isinstance(info.node, ast.Lambda) or not _is_checked(frame, info):
        return
    spec = info.node.args
    for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        if argument.annotation is None or argument.arg not in env:
            continue
        promised = of_annotation(frame.run, info.module, argument.annotation)
        refused = None if promised is None else _refused(promised, env[argument.arg])
        if refused is not None:
            frame.emit(Converted(frame.site(node), "checked", refused))


def _is_checked(frame: Frame, info: FunctionInfo) -> bool:
    nodes: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = []
    if info.decorators and not isinstance(info.node, ast.Lambda):
        nodes.append(info.node)
    if info.cls is not None and info.cls.node.decorator_list:
        nodes.append(info.cls.node)
    for node in nodes:
        for decorator in node.decorator_list:
            named = decorator.func if isinstance(decorator, ast.Call) else decorator
            if not isinstance(named, (ast.Name, ast.Attribute)):
                continue
            short = named.id if isinstance(named, ast.Name) else named.attr
            if short in _SHORT and frame.run.project.resolve_expression(info.module, named) in _CHECKERS:
                return True
    return False


def _refused(promised: Value, given: Value) -> Sym | None:
    """A symbol that is given where an annotation promises plain numbers alone."""
    if type(given) is Sym:
        plain = all(_is_no_symbol(choice) for choice in choices(promised))
        return given if plain else None
    if (
        type(given) is Sequence
        and type(promised) is Sequence
        and given.items is not None
        and promised.items is not None
    ):
        pairs = zip(promised.items, given.items, strict=False)
        return next((found for one, other in pairs if (found := _refused(one, other)) is not None), None)
    return None


def _is_no_symbol(promised: Value) -> bool:
    named = type(promised) is Static and promised.type in ("int", "float", "bool", "str", "bytes")
    return named or type(promised) in (Const, Tensor, Sequence)
