"""Names that new code brings in: whether they mean there what they mean where nothing hides them."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.known.names import names, parameters, targets
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.finding import Edit, Position
    from exportdb_rules.rewrite.tree import Tree

# A name that is looked up: no attribute, and no keyword of a call.
_LOOKED_UP: Final = re.compile(r"(?<![\w.])[^\W\d]\w*(?!\w)(?!\s*=(?!=))")
_BUILTINS: Final = frozenset(vars(builtins))


def hidden(tree: Tree, edits: Iterable[Edit]) -> frozenset[str]:
    """The builtins, and the modules that the file imports, which edits bring into a place where the name is another's."""
    found: frozenset[str] = frozenset()
    bound = _bound_anywhere(tree)
    lines = lines_of(tree.text)
    for edit in edits:
        new = Counter(_LOOKED_UP.findall(edit.content)) - Counter(_LOOKED_UP.findall(lines.slice(edit.span)))
        suspects = bound & new.keys() & (_BUILTINS | _imported(tree))
        if suspects:
            found |= suspects & _bound_at(tree, edit.span.start)
    return found


@lru_cache(maxsize=4)
def _imported(tree: Tree) -> frozenset[str]:
    """The names that `import` lines of the file give to modules, and `math`, which a fix may import."""
    return frozenset({"math", *[name for line in below(tree.module, cst.Import) for name in _given(line)]})


def _given(line: cst.Import) -> Iterator[str]:
    for alias in line.names:
        name = dotted(alias.name) if alias.asname is None else dotted(alias.asname.name)
        yield name.partition(".")[0]


@lru_cache(maxsize=4)
def _bound_anywhere(tree: Tree) -> frozenset[str]:
    """The names that the file binds in one scope or the other, otherwise than by `import`."""
    every = (cst.FunctionDef, cst.Lambda, cst.BaseComp)
    inner = [own for kind in every for node in below(tree.module, kind) for own in _own(node)]
    return frozenset({*_of_module(tree), *inner})


def _bound_at(tree: Tree, position: Position) -> frozenset[str]:
    """The names that the file, or a function around a place, binds otherwise than by `import`."""
    found = set(_of_module(tree))
    for kind in (cst.FunctionDef, cst.Lambda, cst.BaseComp):
        for node in below(tree.module, kind):
            span = tree.span(node)
            if span is not None and span.start <= position <= span.end:
                found |= set(_own(node))
    return frozenset(found)


@lru_cache(maxsize=4)
def _of_module(tree: Tree) -> frozenset[str]:
    stars = [line for line in below(tree.module, cst.ImportFrom) if isinstance(line.names, cst.ImportStar)]
    # Numpy's and torch's own `all`, `max`, `round` come with a star.
    return frozenset({*(_BUILTINS if stars else ()), *(names(tree.module.body).writes - _modules(tree.module))})


def _own(node: cst.FunctionDef | cst.Lambda | cst.BaseComp) -> Iterator[str]:
    """The names of the scope of a function, a lambda or a comprehension."""
    if isinstance(node, cst.BaseComp):
        for clause in below(node, cst.CompFor):
            yield from [name.value for name in targets(clause.target)]
        return
    yield from [parameter.name.value for parameter in parameters(node)]
    if isinstance(node, cst.FunctionDef):
        yield from names(node.body).writes - _modules(node.body)


def _modules(node: cst.CSTNode) -> frozenset[str]:
    """The names that are modules' wherever a piece of code binds them."""
    imported = {name for line in below(node, cst.Import) for name in _given(line)}
    for statement in below(node, cst.BaseSmallStatement):
        if not isinstance(statement, cst.Import):
            imported -= names(statement).writes
    for made in (*below(node, cst.FunctionDef), *below(node, cst.ClassDef)):
        imported.discard(made.name.value)
    bound: list[cst.CSTNode] = [loop.target for loop in below(node, cst.For)]
    bound += [item.asname.name for item in below(node, cst.WithItem) if item.asname is not None]
    imported -= {name.value for target in bound for name in targets(target)}
    return frozenset(imported)
