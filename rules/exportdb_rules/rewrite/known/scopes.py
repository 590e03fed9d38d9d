"""Names that new code brings in: whether they mean there what they mean where nothing hides them."""

from __future__ import annotations

import builtins
import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.effort import kept_with
from exportdb_rules.rewrite.known.names import names, parameters, targets
from exportdb_rules.rewrite.outline import first_rows
from exportdb_rules.rewrite.parts import parts
from exportdb_rules.rewrite.tree import below, dotted, statements_below

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
    lines = lines_of(tree.text)
    for edit in edits:
        new = Counter(_LOOKED_UP.findall(edit.content)) - Counter(_LOOKED_UP.findall(lines.slice(edit.span)))
        suspects = {name for name in new if name in _BUILTINS or name in _imported(tree)}
        if suspects:
            found |= {name for name in suspects if _hidden_at_top(tree, name)}
            found |= suspects & _bound_around(tree, edit.span.start)
    return found


@kept_with
def _imported(tree: Tree) -> frozenset[str]:
    """The names that `import` lines of the file give to modules, and `math`, which a fix may import."""
    lines = [
        line for top in parts(tree.module).importing() for line in statements_below(top) if isinstance(line, cst.Import)
    ]
    return frozenset({"math", *[name for line in lines for name in _given(line)]})


def _given(line: cst.Import) -> Iterator[str]:
    for alias in line.names:
        name = dotted(alias.name) if alias.asname is None else dotted(alias.asname.name)
        yield name.partition(".")[0]


def _bound_around(tree: Tree, position: Position) -> frozenset[str]:
    """The names that the functions and comprehensions around a place bind otherwise than by `import`."""
    index = bisect_right(first_rows(tree, tree.module), position.row) - 1
    found: set[str] = set()
    for kind in (cst.FunctionDef, cst.Lambda, cst.BaseComp) if index >= 0 else ():
        for node in below(tree.module.body[index], kind):
            span = tree.span(node)
            if span is not None and span.start <= position <= span.end:
                found |= set(_own(node))
    return frozenset(found)


@kept_with
def _hidden_at_top(tree: Tree, name: str) -> bool:
    """Whether the file binds a name at its top level otherwise than by `import`."""
    body = parts(tree.module)
    if name in _BUILTINS:
        lines = (line for top in body.importing() for line in statements_below(top))
        # Numpy's and torch's own `all`, `max`, `round` come with a star.
        if any(isinstance(line, cst.ImportFrom) and isinstance(line.names, cst.ImportStar) for line in lines):
            return True
    # `torch.sum(x)`, `torch[…]` and `torch(x)` bind nothing.
    bound = re.compile(rf"\b(?:def|class)\s+{name}\b|(?<![\w.]){name}\b(?!\s*[.(\[])")
    tops = [body[i] for i, part in enumerate(body.all) if name in part.text and bound.search(part.text)]
    return name in names(tops).writes and name not in _modules(tops)


def _own(node: cst.FunctionDef | cst.Lambda | cst.BaseComp) -> Iterator[str]:
    """The names of the scope of a function, a lambda or a comprehension."""
    if isinstance(node, cst.BaseComp):
        for clause in below(node, cst.CompFor):
            yield from [name.value for name in targets(clause.target)]
        return
    yield from [parameter.name.value for parameter in parameters(node)]
    if isinstance(node, cst.FunctionDef):
        yield from names(node.body).writes - _modules([node.body])


def _modules(nodes: Iterable[cst.CSTNode]) -> set[str]:
    """The names that are modules' wherever pieces of code bind them."""
    imported: set[str] = set()
    others: set[str] = set()
    bound: list[cst.CSTNode] = []
    for statement in (statement for node in nodes for statement in statements_below(node)):
        if isinstance(statement, cst.Import):
            imported.update(_given(statement))
        elif isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            others.add(statement.name.value)
        elif isinstance(statement, cst.For):
            bound.append(statement.target)
        elif isinstance(statement, cst.With):
            bound += [item.asname.name for item in statement.items if item.asname is not None]
        elif not isinstance(statement, cst.BaseCompoundStatement):
            others |= names(statement).writes
    others.update(name.value for target in bound for name in targets(target))
    return imported - others
