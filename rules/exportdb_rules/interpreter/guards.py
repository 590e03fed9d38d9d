"""The guards that export would add for what operators need of sizes, as facts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from exportdb_rules.facts import SizeDemanded
from exportdb_rules.interpreter.dimensions import term_of
from exportdb_rules.terms import Demand, demanded, divides, least
from exportdb_rules.values import Sym, Tensor, Value

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.machine import Frame


def has_unbacked_size(frame: Frame, tensor: Tensor) -> bool:
    """Whether a tensor has a size that hangs on one which is declared to be unbacked."""
    return frame.run.dynamic.kind == "unbacked" and any(type(size) is Sym for size in tensor.dims or ())


def demand(frame: Frame, node: ast.AST, operation: str, what: Demand | None, *sizes: Value) -> None:
    """Something must hold of sizes, one of which is dynamic."""
    value = next((size for size in sizes if type(size) is Sym and size.backed), None)
    if what is None or value is None:
        return
    if not frame.run.dynamic.adopts(what):
        frame.emit(SizeDemanded(frame.site(node), value, operation, what))


def equal(frame: Frame, node: ast.AST, operation: str, a: Value | None, b: Value | None) -> None:
    """An operator needs two sizes to be equal."""
    one, other = term_of(a), term_of(b)
    if one is not None and other is not None and a is not None and b is not None:
        what = demanded(one, other)
        if what is not None and what.difference is not None and frame.run.dynamic.are_narrowed_by(what.difference):
            what = replace(what, narrows=True)
        demand(frame, node, operation, what, a, b)


def multiple(frame: Frame, node: ast.AST, operation: str, size: Value, of: int) -> None:
    """An operator needs a size to be a multiple of a number."""
    term = term_of(size)
    if term is not None and of > 1:
        demand(frame, node, operation, divides(of, term), size)


def no_smaller(frame: Frame, node: ast.AST, operation: str, size: Value, low: int) -> None:
    """An operator needs a size to be no smaller than a number, which its declaration may promise."""
    term = term_of(size)
    what = None if term is None else least(term, low)
    if what is not None and not frame.run.dynamic.promises(what.dimension, what.number):
        demand(frame, node, operation, what, size)
