"""The names under which a module knows torch and numpy, and the edits that give it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.effort import kept_with
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.parts import parts
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Tree, below, dotted

if TYPE_CHECKING:
    from collections.abc import Sequence


def torch_name(tree: Tree) -> str:
    """The global name of torch in the module; 'torch' where it is not imported yet.

    Raises FixNotApplicable where the module uses that name for something else.
    """
    name = _torch_name(tree)
    if name is None:
        raise FixNotApplicable(NoFix.NAME_CLASH, "`torch` is a name of the module's own")
    return name


@kept_with
def _torch_name(tree: Tree) -> str | None:
    """See `torch_name`; None where the name means something else. Asked for each fix, read once for a text."""
    body = parts(tree.module)
    if any(part.name == "torch" for part in body.all):
        return None
    for statement in body.of(None):
        for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
            if not isinstance(small, cst.Import) and "torch" in names(small).writes:
                return None
    bound = ""
    for module, name in _imported(tree):
        if not name and module.split(".")[0] == "torch":
            return "torch"
        if module == "torch":
            bound = name
    return bound or "torch"


def numpy_name(tree: Tree) -> str:
    """The module's name for numpy."""
    return next((name or module for module, name in _imported(tree) if module == "numpy"), "numpy")


def torch_import(tree: Tree) -> tuple[Edit, ...]:
    """The edit that imports torch; none if it is imported."""
    known = any(m == "torch" or (not name and m.startswith("torch.")) for m, name in _imported(tree))
    return () if known else _at_the_top(tree, "torch")


def module_import(tree: Tree, name: str) -> tuple[Edit, ...]:
    """The edit that imports a module of the standard library; none if it is imported under its own name."""
    return () if (name, "") in _imported(tree) else _at_the_top(tree, name)


@kept_with
def _imported(tree: Tree) -> Sequence[tuple[str, str]]:
    """What a module imports by `import` when it is read, under a condition too: the modules, each with its name behind
    `as`, '' without."""
    return [
        (dotted(alias.name), "" if alias.asname is None else dotted(alias.asname.name))
        for statement in parts(tree.module).of(None)
        for small in below(statement, cst.Import, outside=(cst.FunctionDef, cst.ClassDef, cst.Lambda))
        for alias in small.names
    ]


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
    if last is not None and (place := tree.place(last)) is not None:
        row = place[2] + 1
    elif tree.module.header:
        # A shebang or a licence in comments stays on top.
        row = 1 + len(tree.module.header)
    here = Position(row, 1)
    blank = newline if last is not None else ""
    return (Edit(Span(here, here), f"{blank}import {name}{newline}"),)
