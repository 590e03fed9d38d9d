"""Whether a module's own code reads what it changes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.namespaces import holders, local_classes

if TYPE_CHECKING:
    from exportdb_rules.definitions import Module

_WRITERS = frozenset(
    {"append", "add", "insert", "extend", "update", "setdefault", "pop", "clear", "remove", "popitem", "discard", "appendleft"}
)  # fmt: skip


def read_elsewhere(module: Module, name: str) -> bool:
    """Whether a file reads the attribute `name` other than to change it or to set it up."""
    # A test that holds a class reads what the class's own methods read, and they are looked at one by one.
    around = holders(module)
    for cls in (*module.classes, *local_classes(module)):
        for method in cls.methods.values():
            if method.name == "__init__" or id(method.node) in around:
                continue
            written: set[int] = set()
            for node in ast.walk(method.node):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _WRITERS:
                    written.add(id(node.func.value))
                elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                    written.add(id(node.value))
            for node in ast.walk(method.node):
                if (
                    isinstance(node, ast.Attribute)
                    and node.attr == name
                    and isinstance(node.ctx, ast.Load)
                    and id(node) not in written
                ):
                    return True
    return False
