"""Tables at the top level of a file that it fills where it is imported: `ACTIVATIONS["gate"] = gate`, `@register("gate")`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final, TypeGuard

from exportdb_rules.interpreter.dispatch import call
from exportdb_rules.lattice import Mapping, Sequence
from exportdb_rules.values import TOP, Class, Const, Function, Instance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Value


_PUTTING: Final = ("append", "add", "setdefault", "update", "insert")


def fill(
    frame: Frame,
    name: str,
    table: Value,
    evaluate: Callable[[Frame, ast.expr], Value],
    execute: Callable[[Frame, list[ast.stmt]], None],
) -> Value:
    """Put into a table of the frame's file what the statements of the file put into it.

    Args:
        name: what the file calls the table: a list or dict, or an object that registers what it decorates or holds options.

    Returns:
        The table.
    """
    module = frame.module
    plain = isinstance(table, (Mapping, Sequence))
    # What is set on a model before its export is looked for from the export (`export_calls.Setting`).
    options = type(table) is Instance and table.cls is not None and not table.cls.is_module(frame.run.project)
    writers = {name, *_writers(frame, name)} if plain else {name}
    for node in module.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            for decorator in node.decorator_list:
                decorated = frame.run.module_value(module, node.name) if _root(decorator) in writers else None
                if isinstance(decorated, (Function, Class)):
                    call(frame, decorator, evaluate(frame, decorator), [decorated], {})
        elif isinstance(node, ast.Expr) and plain and _root(node.value) in writers:
            evaluate(frame, node.value)
        elif isinstance(node, ast.Assign) and type(table) is Mapping and _is_item(node.targets[0], name):
            key = evaluate(frame, node.targets[0].slice)
            value = evaluate(frame, node.value)
            table.put(key.value, value) if type(key) is Const else table.cover(value)
        elif options and isinstance(node, ast.Assign) and _is_part(node.targets[0], name):
            execute(frame, [node])
    if len(writers) > 1 and type(table) is Mapping and not table.items:
        table.cover(TOP)  # other files register all
    return table


def _writers(frame: Frame, name: str) -> Iterator[str]:
    """The functions of a file that put one of their parameters, or of those around them, into a table."""
    rows, stores = frame.module.parsed, re.compile(rf"\b{name}(\[[^\n]*\] *=|\.({'|'.join(_PUTTING)})\()")
    for function in frame.module.functions:
        if stores.search("\n".join(rows[function.node.lineno - 1 : function.node.end_lineno])):
            nodes = [*ast.walk(function.node)]
            parameters = {node.arg for node in nodes if isinstance(node, ast.arg)}
            if any(isinstance(put, ast.Name) and put.id in parameters for node in nodes for put in _put(node, name)):
                yield function.name


def _put(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a node puts into a table: `TABLE[key] = value`, `TABLE.append(value)`."""
    if isinstance(node, ast.Assign) and _is_item(node.targets[0], name):
        yield node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_name(node.func.value, name):
        yield from node.args if node.func.attr in _PUTTING else ()


def _is_part(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Attribute) and _root(node) == name


def _is_item(node: ast.expr, name: str) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and _is_name(node.value, name)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _root(node: ast.expr) -> str:
    """The name that a decorator begins with."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
