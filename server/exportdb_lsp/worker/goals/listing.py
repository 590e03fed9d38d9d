"""The text of what a tool made, line by line, and the user's lines behind it.

A node is written as torch writes those of an exported program: `y: "float32[s0, 4]" = aten.add.Tensor(x, 1)`.
"""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..graph import metadata
from ..program import Line, Listing
from ..stack import Frame, FrameClassifier
from . import nodes, signature

INDENT = "    "


class Writer:
    """Collects the lines of one text."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._operators = 0

    def line(self, text: str, depth: int = 0) -> None:
        """Text that no line of the user's became."""
        self._lines.append(Line(INDENT * depth + text, []))

    def node(self, results: Iterable[str], call: str, frames: list[Frame], depth: int) -> None:
        """An operator: what it computes, what is called with what, the user's lines that made it."""
        self._operators += 1
        self._lines.append(Line(f"{INDENT * depth}{', '.join(results)} = {call}", frames))

    def function(self, name: str, parameters: Iterable[str], depth: int = 0) -> None:
        """What a function begins with."""
        self.line(f"def {name}({', '.join(parameters)}):", depth)

    def returned(self, values: Iterable[str], depth: int) -> None:
        """What a function ends with."""
        self.line(f"return ({', '.join(values)})", depth)

    def listing(self) -> Listing:
        """All of it."""
        return Listing(self._lines, self._operators)


def called_with(called: str, arguments: Iterable[str], keywords: Mapping[str, str]) -> str:
    """`f(a, b, c=1)`."""
    return f"{called}({', '.join([*arguments, *(f'{name}={value}' for name, value in keywords.items())])})"


def typed(node: Any) -> str:
    """A value of a graph of torch's: its name, with shape and dtype where it is a tensor."""
    shape = metadata(node.meta.get("val"))
    return f'{node.name}: "{shape[1]}{shape[0]}"' if shape is not None else str(node.name)


def write_node(writer: Writer, node: Any, users: FrameClassifier, depth: int, hidden: tuple[str, ...] = ()) -> None:
    """A call in a graph of torch's, without the keywords that are `hidden`."""
    name = (
        nodes.operator(node) if hasattr(node.target, "_schema") else getattr(node.target, "__name__", str(node.target))
    )
    keywords = {key: str(value) for key, value in node.kwargs.items() if key not in hidden}
    writer.node([typed(node)], called_with(name, map(str, node.args), keywords), nodes.origin(node, users), depth)


def begin(writer: Writer, program: Any) -> None:
    """The function that a program of torch's is, with what its caller gives it."""
    inputs = {argument.name for argument in signature.user_inputs(program) if hasattr(argument, "name")}
    given = [typed(node) for node in program.graph.nodes if node.op == "placeholder" and node.name in inputs]
    writer.function("forward", given)


def end(writer: Writer, program: Any) -> None:
    """What it returns."""
    (output,) = (node for node in program.graph.nodes if node.op == "output")
    writer.returned(map(str, output.args[0]), 1)
