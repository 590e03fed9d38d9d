"""What an expression that the program does not have would evaluate to: a rewrite asks of the code that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.interpreter.environment import Environment
from exportdb_rules.interpreter.machine import AnalysisState, Frame, FuelExhausted, evaluate
from exportdb_rules.lattice import copied
from exportdb_rules.values import TOP, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    from exportdb_rules.project import Module

_STEPS: Final = 2_000


def suppose(run: AnalysisState, module: Module, node: ast.expr, names: Mapping[str, Value]) -> Value:
    """The value of an expression of a file where its names have these values; what it would write is not kept."""
    fuel, heap, read, begun = run.fuel, run.heap, run.read, run.begun
    run.fuel, run.heap, run.read, run.begun = _STEPS, dict(heap), set(read), set(begun)
    frame = Frame(run, module, None, env=Environment({name: copied(value) for name, value in names.items()}))
    try:
        return evaluate(frame, node)
    except (RecursionError, FuelExhausted):
        return TOP
    finally:
        run.fuel, run.heap, run.read, run.begun = fuel, heap, read, begun
