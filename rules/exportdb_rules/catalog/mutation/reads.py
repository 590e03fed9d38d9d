"""Whether a module's own code reads what it changes."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from exportdb_rules.bodies import may_name
from exportdb_rules.messages import is_message
from exportdb_rules.namespaces import holders, local_classes
from exportdb_rules.project import dotted

if TYPE_CHECKING:
    from exportdb_rules.definitions import FunctionInfo, Module

WRITERS = frozenset(
    {"append", "add", "insert", "extend", "update", "setdefault", "pop", "clear", "remove", "popitem", "discard", "appendleft"}
)  # fmt: skip


def read_elsewhere(module: Module, name: str, *, in_use: bool = False) -> bool:
    """Whether a file reads the attribute `name` other than to change it, to set it up, or to print or log it; `in_use`: in a
    method that an export may come to."""
    # A test that holds a class reads what the class's own methods read, and they are looked at one by one.
    around = holders(module)
    return any(
        not isinstance(method.node, ast.Lambda)
        and may_name(method.node.body, name)
        and name in _read_in(method, method.node.body)
        for cls in (*module.classes, *local_classes(module))
        for method in cls.methods.values()
        if method.name != "__init__" and id(method.node) not in around and (not in_use or _is_used(method))
    )


def _is_used(method: FunctionInfo) -> bool:
    """Whether Python, or the file that a method stands in, may call it: not what is there for other code to ask between calls of
    the model."""
    name = method.name
    return name == "forward" or name.startswith("__") or _is_mentioned(name, method.module.file.text)


@lru_cache(maxsize=1024)
def _is_mentioned(name: str, text: str) -> bool:
    """Whether a text has a name elsewhere than where a function of that name begins."""
    return re.search(rf"(?<!def )\b{re.escape(name)}\b", text) is not None


def _read_in(method: FunctionInfo, body: list[ast.stmt]) -> frozenset[str]:
    """The attributes that a method's body reads other than to change them, or for a message."""
    if method.read is None:
        nodes = [node for statement in body for node in ast.walk(statement)]
        written: set[int] = set()
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITERS:
                written.add(id(node.func.value))
            elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                written.add(id(node.value))
            elif only_says(node):
                written.update(map(id, ast.walk(node)))
        method.read = frozenset(
            node.attr
            for node in nodes
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and id(node) not in written
        )
    return method.read


def only_says(node: ast.AST) -> bool:
    """Whether a statement does no more than to give a message, perhaps not in every call."""
    if isinstance(node, ast.If) and not node.orelse:
        return all(map(only_says, node.body))
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and is_message(dotted(node.value.func))
