"""How a file calls export itself, at any place in it: names that came and went, arguments that are gone.

This looks at the whole file, not only at what entries reach; so it does nothing unless the text holds a name in
question, and it leaves alone what stands in a `try` or behind a question for the version.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import ApiUsed
from exportdb_rules.project import FunctionInfo
from exportdb_rules.values import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.project import Module, Project

# Names that some version of torch has or had.
NAMES: Final = frozenset(
    {
        "torch._export.capture_pre_autograd_graph",
        "torch.export.dynamic_dim",
        "torch.export.export_for_training",
        "torch._constrain_as_value",
        "torch._constrain_as_size",
        "torch._check_is_size",
        "torch.sym_constrain_range",
        "functorch.experimental.control_flow.cond",
        "functorch.experimental.control_flow.map",
    }
)
EXPORT: Final = "torch.export.export"
_WORDS: Final = ({name.rpartition(".")[2] for name in NAMES} - {"cond", "map"}) | {"control_flow"}
_CALL: Final = re.compile(r"\bexport\s*\(")
_VERSION: Final = re.compile("version|hasattr|TYPE_CHECKING", re.IGNORECASE)


def api_uses(project: Project, module: Module) -> Iterator[ApiUsed]:
    """What a file does with the names of export's own interface, in the order of its text."""
    if not any(map(module.mentions, _WORDS)) and not (module.mentions("export") and _CALL.search(module.text)):
        return
    for node, bound in _nodes(module.body):
        if isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in NAMES:
                    yield ApiUsed(Site(module, node), name)
        elif isinstance(node, ast.Attribute):
            if f".{node.attr}" in _ENDS and (name := project.resolve_expression(module, node)) in NAMES:
                yield ApiUsed(Site(module, node), str(name))
        elif isinstance(node, ast.Call) and node.args and _ends(node.func) == "export":
            if project.resolve_expression(module, node.func) != EXPORT:
                continue
            if any(keyword.arg == "constraints" for keyword in node.keywords):
                yield ApiUsed(Site(module, node), f"{EXPORT}(constraints=)")
            first = node.args[0]
            if isinstance(first, ast.Name) and first.id not in bound:
                target = project.resolve_expression(module, first)
                if isinstance(target, FunctionInfo) and len(module.scope.get(first.id, ())) == 1:
                    yield ApiUsed(Site(module, node), f"{EXPORT}(function)", first.id)


_ENDS: Final = frozenset({"." + name.rpartition(".")[2] for name in NAMES})


def _ends(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _nodes(body: list[ast.stmt]) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """All nodes that run whatever the version, each with the names that functions around it bind."""
    empty: frozenset[str] = frozenset()
    stack: list[tuple[ast.AST, frozenset[str]]] = [(node, empty) for node in reversed(body)]
    while stack:
        node, bound = stack.pop()
        if isinstance(node, ast.Try):
            children: list[ast.AST] = [*node.orelse, *node.finalbody]
        elif isinstance(node, ast.If) and _VERSION.search(ast.unparse(node.test)):
            children = []
        else:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                bound = bound | _bound(node)
            yield node, bound
            children = list(ast.iter_child_nodes(node))
        stack.extend((child, bound) for child in reversed(children))


def _bound(function: ast.AST) -> frozenset[str]:
    """The names that a function takes or assigns."""
    found = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    found.update(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    found.update(n.name for n in ast.walk(function) if isinstance(n, (ast.FunctionDef, ast.ClassDef)))
    return frozenset(found)
