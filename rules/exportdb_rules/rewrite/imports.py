"""The names under which a module knows torch and numpy, and the edits that give it names."""

from __future__ import annotations

import libcst as cst

from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import Tree, dotted


def torch_name(tree: Tree) -> str:
    """The global name of torch in the module; 'torch' where it is not imported yet.

    Raises Refused where the module uses that name for something else.
    """
    bound = ""
    for statement in tree.module.body:
        if not isinstance(statement, cst.SimpleStatementLine):
            if isinstance(statement, (cst.FunctionDef, cst.ClassDef)) and statement.name.value == "torch":
                raise Refused("`torch` is a name of the module's own")
            continue
        for small in statement.body:
            if isinstance(small, cst.Import):
                for alias in small.names:
                    name = dotted(alias.name)
                    if alias.asname is None and name.split(".")[0] == "torch":
                        return "torch"
                    if alias.asname is not None and name == "torch":
                        bound = dotted(alias.asname.name)
            elif "torch" in names(small).writes:
                raise Refused("`torch` is a name of the module's own")
    return bound or "torch"


def numpy_name(tree: Tree) -> str:
    """The module's name for numpy."""
    for statement in tree.module.body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.Import):
                    for alias in small.names:
                        if dotted(alias.name) == "numpy":
                            return dotted(alias.asname.name) if alias.asname is not None else "numpy"
    return "numpy"


def torch_import(tree: Tree) -> tuple[Edit, ...]:
    """The edit that imports torch; none if it is imported."""
    for statement in tree.module.body:
        if not isinstance(statement, cst.SimpleStatementLine):
            continue
        for small in statement.body:
            if isinstance(small, cst.Import):
                for alias in small.names:
                    name = dotted(alias.name)
                    if (alias.asname is None and name.split(".")[0] == "torch") or name == "torch":
                        return ()
    return _at_the_top(tree, "torch")


def module_import(tree: Tree, name: str) -> tuple[Edit, ...]:
    """The edit that imports a module of the standard library; none if it is imported under its own name."""
    for statement in tree.module.body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.Import) and any(
                    dotted(a.name) == name and a.asname is None for a in small.names
                ):
                    return ()
    return _at_the_top(tree, name)


def _at_the_top(tree: Tree, name: str) -> tuple[Edit, ...]:
    """An import after the docstring and the `__future__` imports."""
    last: cst.BaseStatement | cst.BaseCompoundStatement | None = None
    for index, statement in enumerate(tree.module.body):
        if not isinstance(statement, cst.SimpleStatementLine):
            break
        small = statement.body[0]
        docstring = index == 0 and isinstance(small, cst.Expr) and isinstance(small.value, cst.SimpleString)
        future = isinstance(small, cst.ImportFrom) and small.module is not None and dotted(small.module) == "__future__"
        if not docstring and not future:
            break
        last = statement
    newline = tree.module.default_newline
    row = 1
    if last is not None:
        place = tree.positions[last]
        row = place.end.line + 1
    elif tree.module.header:
        # A shebang or a licence in comments stays on top.
        row = 1 + sum(1 for _ in tree.module.header)
    here = Position(row, 1)
    blank = newline if last is not None else ""
    return (Edit(Span(here, here), f"{blank}import {name}{newline}"),)
