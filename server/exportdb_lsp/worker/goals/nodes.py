"""What torch's own graph says of a program that a tool takes further."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from types import CodeType
from typing import Any

from ..program import Forgotten
from ..stack import Frame, FrameClassifier, chain
from . import Refusal


class OfPrograms:
    """What tools have in common that take no models: of those, torch.export makes programs as it was asked to."""

    def __init__(self, users: FrameClassifier) -> None:
        import torch

        self.users = users
        # Bound before any code of the user runs: it may replace it.
        self._export: Any = torch.export.export
        self.program: Any = None
        """The exported program, once the tool was asked to take it further."""

    def listening(self) -> AbstractContextManager[None]:
        """Nothing is noted: what asks torch.export is `of_model`."""
        return nullcontext()

    def of_model(self, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any) -> Any:
        """The ExportedProgram of a model."""
        return self._export(model, args, kwargs, dynamic_shapes=dynamic_shapes, strict=False)

    def asked(self, dynamic_shapes: Any) -> Any:
        """The shapes themselves."""
        return dynamic_shapes

    def narrowed(self) -> None:
        """None: torch.export has the last word on the shapes."""


def refused(says: str, error: BaseException, users: FrameClassifier, within: CodeType | None = None) -> Refusal:
    """The node that a tool was at when it raised, and the user's lines that made it; of the program if there is none.

    `within` is the function that translates node by node, where others of the tool loop over nodes too.
    """
    return of_node(says, next(in_hand(error, within), None), users)


def of_node(says: str, node: Any, users: FrameClassifier) -> Refusal:
    """What a tool did not take of a program: a node of its graph, or None where it names none."""
    if node is None:
        return Refusal(says, "the program", [])
    return Refusal(says, "the output" if node.op == "output" else operator(node), origin(node, users))


def operator(node: Any) -> str:
    """The operator of a node, by torch's name for it: the dialects of a tool wrap torch's own."""
    torch: Any = sys.modules["torch"]
    wrapped = getattr(node.target, "_op", None)
    return str(wrapped if isinstance(wrapped, torch._ops.OpOverload) else node.target)


def in_hand(error: BaseException, within: CodeType | None = None) -> Iterator[Any]:
    """The nodes of torch's graphs that were worked on when an error was raised, outermost call first."""
    import torch.fx

    for raised in chain(error):
        traceback = raised.__traceback__
        while traceback is not None:
            frame = traceback.tb_frame
            node = frame.f_locals.get("node") if within in (None, frame.f_code) else None
            if isinstance(node, torch.fx.Node):
                yield node
            traceback = traceback.tb_next


def unkept(exported: Any, kinds: Mapping[str, str], users: FrameClassifier) -> Forgotten | None:
    """That what an ExportedProgram writes is not kept, of the kinds of outputs that are named here (`buffer`)."""
    written = writes(exported, kinds, users)
    if not written:
        return None
    return Forgotten(f"does not keep what the model writes to {', '.join(written)}", next(iter(written.values())))


def writes(exported: Any, kinds: Mapping[str, str], users: FrameClassifier) -> dict[str, list[Frame]]:
    """What an ExportedProgram writes of these kinds of outputs, by name (`buffer n`), with the user's lines that do it."""
    nodes = {node.name: node for node in exported.graph.nodes}
    written = [spec for spec in exported.graph_signature.output_specs if spec.kind.name in kinds]
    return {f"{kinds[spec.kind.name]} {spec.target}": origin(nodes[spec.arg.name], users) for spec in written}


def origin(node: Any, users: FrameClassifier) -> list[Frame]:
    """The user's lines that made a node."""
    return users.written(node.meta.get("stack_trace") or "")
