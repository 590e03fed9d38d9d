"""Functions of `torchvision.ops`, which detectors give their boxes to.

Measured by hand in both modes, with torchvision 0.29.1 on torch 2.14.1; torchvision 0.28 cannot be imported beside torch 2.13's
CPU build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import SizedCall
from exportdb_rules.interpreter.dispatch import given_tensors
from exportdb_rules.interpreter.library import call_unmodelled, models_beginning
from exportdb_rules.interpreter.operators import computed_from
from exportdb_rules.values import Value

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.machine import Frame

# What returns the places of the boxes that are kept: data decides how many.
_SELECTING: Final = frozenset({"batched_nms", "nms", "remove_small_boxes"})


@models_beginning("torchvision.ops.")
def _call(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    given, short = given_tensors(args, keywords), name.rpartition(".")[2]
    result = call_unmodelled(frame, node, name, args, keywords)
    if not frame.traced or not given or not short.islower():
        return result  # a module
    loose = next((tensor for tensor in given if tensor.unbacked), None)
    if short not in _SELECTING:
        return computed_from(given, loose)
    if short == "batched_nms" and loose is not None:
        frame.emit(SizedCall(frame.site(node), name, loose))  # it asks whether there are any boxes
    places = computed_from(given, None)
    return places.changed(
        dtype="int64",
        rank=1,
        unbacked=True,
        some=short == "nms",
        site=frame.site(node),
        constant=False,
        fixed=False,
        sized=False,
    )
