"""What the names of a module stand for, as far as plain assignments say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.effort import once
from exportdb_rules.rewrite.parts import parts
from exportdb_rules.rewrite.tree import dotted, statements, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator


@once
def module_names(module: cst.Module) -> dict[str, cst.BaseExpression]:
    """What the names of a module are bound to, by plain assignments."""
    return dict(assignments(list(parts(module).of(None))))


def makes(node: cst.BaseExpression | None, owner: cst.ClassDef, scope: dict[str, cst.BaseExpression]) -> bool:
    """Whether an expression is an object of the class: `Net(3)`, `Net(3).eval()`, a name for one."""
    for _ in range(6):
        if node is None:
            return False
        if isinstance(node, cst.Name):
            node = scope.get(node.value)
        elif isinstance(node, cst.Call):
            if isinstance(node.func, cst.Name):
                return node.func.value == owner.name.value
            node = node.func.value if isinstance(node.func, cst.Attribute) else None
        else:
            return False
    return False


def assignments(body: list[cst.CSTNode]) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Plain assignments to names, of a module or a function and of what an `if __name__ …` in it holds."""
    pending = list(body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, cst.SimpleStatementLine):
            for small in node.body:
                if isinstance(small, cst.Assign):
                    for target in small.targets:
                        yield from unpacked(target.target, small.value)
                elif isinstance(small, cst.AnnAssign) and small.value is not None:
                    yield dotted(small.target), small.value
        elif isinstance(node, cst.If):
            pending += statements(node.body)
