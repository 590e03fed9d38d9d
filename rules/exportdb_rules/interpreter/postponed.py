"""Calls before tracing that nobody waits for: they are made when something is read that they may have written.

The constructors of a large library look up, check and record many things that no `forward` ever asks for: tables of
plans, names of kernels, settings for generation. To run all that for every model takes most of the time of a check. A
call whose result is not used, or only put on an object, is made once an attribute is read, or written by somebody else,
that it may write itself (`exportdb_rules.interpreter.effects`). So is one whose result its text tells: the function that a
decorator is given, documents or lists, and returns. One that may make parameters or modules, or is given a
container to fill, is made at once.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.interpreter.attributes import write_attribute
from exportdb_rules.interpreter.effects import effects_of
from exportdb_rules.interpreter.machine import MAX_STEPS, FuelExhausted
from exportdb_rules.interpreter.parameters import of_annotation
from exportdb_rules.interpreter.submodules import is_module
from exportdb_rules.interpreter.waiting import Postponed
from exportdb_rules.lattice import Mapping, Sequence
from exportdb_rules.project import ClassInfo
from exportdb_rules.values import Instance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.interpreter.machine import AnalysisState, Frame
    from exportdb_rules.project import FunctionInfo
    from exportdb_rules.values import Value

# Calls that reach less code than this, in characters, are as soon made as kept in mind.
SHORTEST: Final = 1000


def postponed(
    frame: Frame,
    function: FunctionInfo,
    receiver: Value | ClassInfo | None,
    values: Iterable[Value],
    make: Callable[[], Value],
) -> bool:
    """Postpone the call before tracing whose result nobody waits for, if that can be done.

    Args:
        frame: whose call it is.
        function: what is called.
        receiver: the object that it is called on; the class of the object that it makes, of a constructor.
        values: the arguments.
        make: makes the call.
    """
    run, idle = frame.run, frame.run.idle
    if idle is None or idle.taken or frame.loops or any(isinstance(value, (Sequence, Mapping)) for value in values):
        return False
    if function.name == "forward":
        return False  # a model that makes what it needs in its first call
    target = None if idle.owner is None or idle.target is None else (idle.owner, idle.target.attr)
    made = isinstance(receiver, ClassInfo)
    cls = receiver if made else receiver.cls if isinstance(receiver, Instance) else function.cls
    effects = effects_of(run.project, function, cls)
    # What a constructor puts on its object, nobody has seen.
    if not effects.bounded or (effects.opens and not made) or effects.size < SHORTEST:
        return False
    if run.recorded in effects.files:
        return False
    run.untraced.update(map(id, effects.functions))
    run.reached |= effects.files
    depth, run_depth = frame.depth, run.depth

    def later(assigns: bool) -> None:
        state = (run.heap, run.active, run.depth, run.fuel, run.idle, frame.depth)
        # Whoever is the first to ask, and however much of its share is left, the answer is the same.
        run.heap, run.active, run.depth, run.fuel, run.idle, frame.depth = (
            {},
            set(),
            run_depth,
            MAX_STEPS,
            None,
            depth,
        )
        try:
            value = make()
            if assigns and target is not None and idle.target is not None:
                write_attribute(frame, idle.target, target[0], target[1], value, augmented=False)
        except (FuelExhausted, RecursionError):
            pass
        finally:
            run.heap, run.active, run.depth, run.fuel, run.idle, frame.depth = state

    own = frozenset[str]() if made else effects.own
    call = Postponed(later, None if made else receiver, own, effects.others)
    call.gives_module = target is not None and not made and _may_give_module(run, function)
    run.waiting.add(call, target, joined=depth > 0)
    idle.taken = True
    return True


def _may_give_module(run: AnalysisState, function: FunctionInfo) -> bool:
    """Whether a function is not annotated to return an object of another kind than a module."""
    returns = None if isinstance(function.node, ast.Lambda) else function.node.returns
    result = None if returns is None else of_annotation(run, function.module, returns)
    return type(result) is not Instance or is_module(result, run.project)
