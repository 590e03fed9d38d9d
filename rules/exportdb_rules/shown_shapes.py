"""The symbolic shapes of the tensors of a file, as they are shown beside its names before anything was exported."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exportdb_rules.interpreter.dimensions import term_of
from exportdb_rules.values import Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from exportdb_rules.finding import Span
    from exportdb_rules.project import Module


@dataclass(frozen=True, slots=True)
class ShownShape:
    """A name that stands for a tensor at `span`, and its sizes: `[batch, 2 * tokens, 64]`. `bound`: the name is given its
    value there, by an assignment or as a parameter."""

    name: str
    span: Span
    shape: str
    bound: bool


def shown_shapes(module: Module, values: Mapping[Span, Value]) -> Iterator[ShownShape]:
    """The names of a file whose sizes are all known, in the order of the text."""
    for node in sorted(_names(module), key=lambda node: (node.lineno, node.col_offset)):
        span = module.lines.span(node)
        shape = shape_of(values.get(span))
        if isinstance(node, ast.arg):
            if shape is not None:
                yield ShownShape(node.arg, span, shape, bound=True)
        elif shape is not None:
            yield ShownShape(node.id, span, shape, bound=isinstance(node.ctx, ast.Store))


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
