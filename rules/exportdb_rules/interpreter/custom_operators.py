"""Calls of custom operators by their full name: `torch.ops.namespace.name(…)`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from exportdb_rules.definitions import is_one_of
from exportdb_rules.facts import OperatorCalled
from exportdb_rules.interpreter.parameters import of_annotation
from exportdb_rules.lattice import Sequence
from exportdb_rules.values import FRESH, TOP, Tensor

if TYPE_CHECKING:
    from exportdb_rules.definitions import FunctionInfo
    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Value


def call_by_name(frame: Frame, node: ast.AST, name: str) -> Value:
    """`torch.ops.namespace.name(…)`: what its function's annotation or its schema says, if it is defined in this file."""
    namespace, operator = name.split(".")[2:4]
    site = frame.site(node)
    registered = [f for f in site.module.functions if _is_given(f, f"{namespace}::{operator}")]
    defined = next((f for f in registered if any(is_one_of(d, ("custom_op",)) for d in f.decorators)), None)
    frame.emit(OperatorCalled(site, f"{namespace}::{operator}", defined))
    for function in registered:
        returns = None if isinstance(function.node, ast.Lambda) else function.node.returns
        if returns is not None:
            return of_annotation(frame.run, function.module, returns, FRESH) or TOP
    declared = re.search(
        rf"""define\(\s*["'](?:{namespace}::)?{operator}(?:["']\s*,\s*["'])?\([^"']*\)\s*->\s*([^"']+)["']""",
        site.module.text,
    )
    return _of_schema(declared[1].strip()) if declared else TOP


def _is_given(function: FunctionInfo, name: str) -> bool:
    """Whether a decorator of a function registers it under that name."""
    decorators = [] if isinstance(function.node, ast.Lambda) else function.node.decorator_list
    first = [decorator.args[0] for decorator in decorators if isinstance(decorator, ast.Call) and decorator.args]
    return any(isinstance(node, ast.Constant) and node.value == name for node in first)


def _of_schema(returns: str) -> Value:
    """What a schema says is returned: tensors and tuples of them are known."""
    kinds = [kind.strip() for kind in returns.strip("()").split(",")]
    if not all(re.fullmatch(r"Tensor(\([^)]*\))?(\s+\w+)?", kind) for kind in kinds):
        return TOP
    return Sequence("tuple", [Tensor(FRESH) for _ in kinds]) if len(kinds) > 1 else Tensor(FRESH)
