"""What torch's own graph says of a program that a tool takes further."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Mapping
from types import CodeType
from typing import Any

from ..stack import Frame, FrameClassifier, chain
from . import Refusal


def refused(says: str, error: BaseException, users: FrameClassifier, within: CodeType | None = None) -> Refusal:
    """The node that a tool was at when it raised, and the user's lines that made it; of the program if there is none.

    `within` is the function that translates node by node, where others of the tool loop over nodes too.
    """
    node = _in_hand(error, within)
    if node is None:
        return Refusal(says, "the program", [])
    return Refusal(says, "the output" if node.op == "output" else str(node.target), _origin(node, users))


def _in_hand(error: BaseException, within: CodeType | None) -> Any:
    """The node of torch's graph that was being translated when an error was raised; None where there is none."""
    import torch.fx

    for raised in chain(error):
        traceback = raised.__traceback__
        while traceback is not None:
            frame = traceback.tb_frame
            node = frame.f_locals.get("node") if within in (None, frame.f_code) else None
            if isinstance(node, torch.fx.Node):
                return node
            traceback = traceback.tb_next
    return None


def writes(exported: Any, kinds: Mapping[str, str], users: FrameClassifier) -> dict[str, list[Frame]]:
    """What an ExportedProgram writes of these kinds of outputs, by name (`buffer n`), with the user's lines that do it."""
    nodes = {node.name: node for node in exported.graph.nodes}
    written = [spec for spec in exported.graph_signature.output_specs if spec.kind.name in kinds]
    return {f"{kinds[spec.kind.name]} {spec.target}": _origin(nodes[spec.arg.name], users) for spec in written}


def _origin(node: Any, users: FrameClassifier) -> list[Frame]:
    return users.written(node.meta.get("stack_trace") or "")
