"""The symbolic shapes of the tensors of a file, as they are shown beside its names before anything was exported."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from exportdb_rules.documented_shapes import documented_sizes
from exportdb_rules.interpreter.dimensions import term_of
from exportdb_rules.values import Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from exportdb_rules.finding import Span
    from exportdb_rules.project import Module


# A size of an input that nobody gave a name.
_OWN_SIZE: Final = re.compile(r"(?<![\w.\])])\w+\.shape\[\d+\]")
_NAME: Final = re.compile(r"[A-Za-z]\w{0,19}$")


@dataclass(frozen=True, slots=True)
class ShownShape:
    """A name that stands for a tensor at `span`, and its sizes: `[batch, 2 * tokens, 64]`. `bound`: the name is given its
    value there, by an assignment or as a parameter."""

    name: str
    span: Span
    shape: str
    bound: bool


def shown_shapes(module: Module, values: Mapping[Span, Value]) -> Iterator[ShownShape]:
    """The names of a file whose sizes are all known, in the order of the text. Sizes of inputs that have no name of their own are
    called what docstrings, comments and annotations of jaxtyping call them."""
    shown = [*_shown(module, values)]
    called = _called(module) if any(_OWN_SIZE.search(one.shape) for one in shown) else {}
    for one in shown:
        yield replace(one, shape=_OWN_SIZE.sub(lambda match: called.get(match[0]) or match[0], one.shape))


def _shown(module: Module, values: Mapping[Span, Value]) -> Iterator[ShownShape]:
    for node in sorted(_names(module), key=lambda node: (node.lineno, node.col_offset)):
        span = module.lines.span(node)
        shape = shape_of(values.get(span))
        if isinstance(node, ast.arg):
            if shape is not None:
                yield ShownShape(node.arg, span, shape, bound=True)
        elif shape is not None:
            yield ShownShape(node.id, span, shape, bound=isinstance(node.ctx, ast.Store))


def _called(module: Module) -> dict[str, str]:
    """What the sizes of inputs are called: `batch` for `x.shape[0]`, where all functions with an `x` say so that say anything."""
    found: dict[str, str] = {}
    for node in chain.from_iterable(map(ast.walk, module.body)):
        for name, sizes in (documented_sizes(node, module.lines.rows) | _annotated(node)).items():
            for at, size in enumerate(sizes):
                place = f"{name}.shape[{at}]"
                found[place] = size if _NAME.match(size) and found.get(place, size) == size else ""
    return found


def _annotated(node: ast.AST) -> dict[str, tuple[str, ...]]:
    """`x: Float[Tensor, "batch tokens dim"]`."""
    found: dict[str, tuple[str, ...]] = {}
    for arg in [*ast.walk(node.args)] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else ():
        if isinstance(arg, ast.arg) and isinstance(arg.annotation, ast.Subscript):
            last = (
                arg.annotation.slice.elts[-1] if isinstance(arg.annotation.slice, ast.Tuple) else arg.annotation.slice
            )
            if isinstance(last, ast.Constant) and isinstance(last.value, str):
                found[arg.arg] = tuple(last.value.split())
    return found


def _names(module: Module) -> Iterator[ast.Name | ast.arg]:
    waiting: list[ast.AST] = [*module.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Name, ast.arg)):
            yield node
        # What `x += 1` binds is not what stood there before.
        waiting += [node.value] if isinstance(node, ast.AugAssign) else ast.iter_child_nodes(node)


def shape_of(value: Value | None) -> str | None:
    """The sizes of a tensor, in terms of the sizes of the inputs; None where one of them is not known."""
    if type(value) is not Tensor or value.dims is None or value.unbacked:
        return None
    terms = [term_of(dim) for dim in value.dims]
    return None if any(term is None for term in terms) else f"[{', '.join([str(term) for term in terms])}]"
