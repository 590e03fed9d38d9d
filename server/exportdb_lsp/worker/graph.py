"""What a successful export shows: the ATen graph, or what a tool made of it, and what each line of the user's became in it."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import ast
import linecache
import re
import sys
from typing import Any

from .program import Runnable
from .shapes import expression
from .stack import Frame, FrameClassifier


def _origin(node: Any, users: FrameClassifier) -> Frame | None:
    return _own(users.written(node.meta.get("stack_trace") or ""))


def _own(frames: list[Frame]) -> Frame | None:
    own = [frame for frame in frames if frame["project"]]
    return own[-1] if own else None


def metadata(value: Any) -> tuple[str, str] | None:
    """The shape and the dtype of a value of a graph, where it is a tensor; the expression and the type of a number."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return "[{}]".format(", ".join(expression(size) for size in value.shape)), str(value.dtype).replace(
            "torch.", ""
        )
    node = getattr(value, "node", None)
    if node is not None:
        return str(node.expr), type(value).__name__
    return None


def traced(program: Any, users: FrameClassifier) -> list[dict[str, Any]]:
    """By line: the name that it assigns, the symbolic shape and dtype of what it assigned, the operators it became."""
    lines: dict[tuple[str, int], dict[str, Any]] = {}
    for node in program.graph.nodes:
        if node.op != "call_function":
            continue
        frame = _origin(node, users)
        if frame is None:
            continue
        key = (frame["filename"], frame["row"])
        row = lines.setdefault(
            key, {"filename": key[0], "row": key[1], "name": "", "shape": "", "dtype": "", "operators": []}
        )
        row["operators"].append(str(node.target))
        shape = metadata(node.meta.get("val"))
        if shape is not None:
            row["shape"], row["dtype"] = shape
    for (filename, number), row in lines.items():
        row["name"] = _assigned(filename, number)
        row["operators"] = row["operators"][:200]
    return [lines[key] for key in sorted(lines)]


_trees: dict[str, dict[int, str]] = {}


def _assigned(filename: str, number: int) -> str:
    if filename not in _trees:
        names: dict[int, str] = {}
        try:
            tree = ast.parse("".join(linecache.getlines(filename)))
        except (SyntaxError, ValueError):
            tree = ast.Module(body=[], type_ignores=[])
        for node in ast.walk(tree):
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
                targets = [node.target]
            if isinstance(node, ast.stmt) and len(targets) == 1 and isinstance(targets[0], ast.Name):
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    names[line] = targets[0].id
        _trees[filename] = names
    return _trees[filename].get(number, "")


def readable(program: Runnable, users: FrameClassifier) -> dict[str, Any]:
    """What is run beside eager as text, with the user's line of each of its lines."""
    listing = program.listing()
    if listing is None:
        return _exported(program.exported, users)
    origins = [(number, _own(line.frames)) for number, line in enumerate(listing.lines, start=1)]
    lines = [(number, frame["filename"], frame["row"]) for number, frame in origins if frame is not None]
    return {"text": "\n".join(line.text for line in listing.lines), "lines": lines, "operators": listing.operators}


def _exported(program: Any, users: FrameClassifier) -> dict[str, Any]:
    try:
        text = program.graph_module.print_readable(print_output=False)
    except Exception:
        text = str(program.graph_module.code)
    origins: dict[str, Frame] = {}
    for node in program.graph.nodes:
        frame = _origin(node, users)
        if frame is not None:
            origins.setdefault(node.name, frame)
    lines: list[tuple[int, str, int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = re.match(r"\s*([A-Za-z_]\w*)(?::[^=]*)? = ", line)
        frame = origins.get(match[1]) if match else None
        if frame is not None:
            lines.append((number, frame["filename"], frame["row"]))
    return {"text": text, "lines": lines, "operators": counts(program)["operators"]}


def counts(program: Any) -> dict[str, int]:
    """How big the program is: its operators, those in the branches of `cond` and its kin included, and what it holds."""
    torch: Any = sys.modules["torch"]
    kinds = (torch._ops.OpOverload, torch._ops.HigherOrderOperator)
    graphs = [module.graph for module in program.graph_module.modules() if hasattr(module, "graph")]
    operators = sum(isinstance(node.target, kinds) for graph in graphs for node in graph.nodes)
    signature = program.graph_signature
    return {
        "operators": operators,
        "inputs": len(signature.user_inputs),
        "outputs": len(signature.user_outputs),
        "parameters": len(signature.parameters),
        "buffers": len(signature.buffers),
    }
