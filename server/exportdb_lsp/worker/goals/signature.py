"""How an exported program is called: its inputs and outputs as flat lists, in the order that its tools know them in."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def user_inputs(program: Any) -> list[Any]:
    """What the program takes from its caller."""
    return [spec.arg for spec in program.graph_signature.input_specs if spec.kind.name == "USER_INPUT"]


def user_outputs(program: Any) -> list[Any]:
    """What the program returns to its caller."""
    return [spec.arg for spec in program.graph_signature.output_specs if spec.kind.name == "USER_OUTPUT"]


def is_constant(argument: Any) -> bool:
    """Whether an input or output is the same in every call: a number, a string or None."""
    return type(argument).__name__ == "ConstantArgument"


def flat_inputs(program: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The leaves of a call, whatever order its keywords stand in."""
    from torch.utils import _pytree as pytree

    in_spec = program.call_spec.in_spec
    _, keywords = in_spec.children() if hasattr(in_spec, "children") else in_spec.children_specs
    return pytree.tree_leaves((args, {name: kwargs[name] for name in keywords.context}))


def restored(program: Any, returned: Iterator[Any], convert: Callable[[Any, Any], Any]) -> Any:
    """What the program returns, of the values that are no constants; `convert` makes one of them what torch has there."""
    from torch.utils import _pytree as pytree

    outputs = [
        argument.value if is_constant(argument) else convert(argument, next(returned))
        for argument in user_outputs(program)
    ]
    return pytree.tree_unflatten(outputs, program.call_spec.out_spec)
