"""What a call of `torch.onnx.export` asks for by its options: above all what becomes of `dynamic_axes`.

`onnx_options.json` is measured by `rules/scripts/onnx_options.py`: what each option does, by exporter.

The exporter that goes through torch.export makes `dynamic_shapes` of `dynamic_axes`: entries of outputs are left out, names in
`input_names` that have no entry are put behind the others, and what is there is given to the inputs *in this order*, whatever
the names. So the axes of an entry may become those of another input, and another number of entries than inputs raises
(torch/onnx/_internal/exporter/_dynamic_shapes.py).
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from packaging.version import Version

from exportdb_rules.definitions import ClassInfo
from exportdb_rules.export_calls import exported
from exportdb_rules.verdict_table import release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.definitions import FunctionInfo
    from exportdb_rules.export_calls import ExportCall
    from exportdb_rules.project import Project

EXPORT: Final = "torch.onnx.export"
# The first version whose `torch.onnx.export` goes through torch.export unless it is told not to.
_DYNAMO_BY_DEFAULT: Final = Version("2.9")
# The names of an input's axes by index; None for an axis without a name.
Named = dict[int, "str | None"]


@cache
def _table() -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "onnx_options.json").read_text(encoding="utf-8"))


def known_options() -> frozenset[str]:
    """The parameters of `torch.onnx.export`."""
    return frozenset(_table()["parameters"])


def effect(option: str, dynamo: bool) -> str | None:
    """What an option was measured to do: `works`, `ignored`, `unsaved` (without a file), `refused`; None if it was not."""
    return _table()["options"].get(option, {}).get("dynamo" if dynamo else "torchscript")


def least_opset() -> int:
    """The lowest operator set that the exporter has implementations for: a model that cannot be converted to a lower one has it."""
    return min(made for asked, made in _table()["opsets"].items() if int(asked) != made)


def is_measured(torch_version: str) -> bool:
    """Whether the options of a version of torch are those that were measured: older ones had others."""
    return release(torch_version) >= Version(_table()["versions"]["torch"])


def is_through_export(dynamo: bool | None, torch_version: str) -> bool:
    """Whether a call of `torch.onnx.export` goes through torch.export, by what it says of `dynamo`."""
    return release(torch_version) >= _DYNAMO_BY_DEFAULT if dynamo is None else dynamo


def through_export(call: ExportCall, torch_version: str) -> bool:
    """Whether a call is one of `torch.onnx.export` that goes through torch.export."""
    return call.onnx and is_through_export(call.dynamo, torch_version)


@dataclass(frozen=True)
class Axes:
    """`dynamic_axes` as it is written: the axes of each entry, in order, beside the names of inputs and outputs."""

    entries: dict[str, Named]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def given(self) -> list[tuple[str, Named]]:
        """The entries in the order in which the exporter gives them to the inputs."""
        own = [(name, axes) for name, axes in self.entries.items() if name not in self.outputs]
        return own + [(name, {}) for name in self.inputs if name not in self.entries]

    def meant(self, parameters: Sequence[str]) -> list[Named] | None:
        """The axes of the inputs that these parameters take, by their names in the ONNX model; None where a name is that of no
        input."""
        names = [*self.inputs, *parameters[len(self.inputs) :]][: len(parameters)]
        own = {name for name in self.entries if name not in self.outputs}
        return [self.entries.get(name, {}) for name in names] if own <= {*names} else None


def read_axes(call: ExportCall) -> Axes | None:
    """The `dynamic_axes` of a call; None where there is none, or it is not written out."""
    written = call.options.get("dynamic_axes")
    found = None if written is None else call.scope.written_out(written)
    inputs, outputs = _names(call, "input_names"), _names(call, "output_names")
    if not isinstance(found, ast.Dict) or inputs is None or outputs is None:
        return None
    entries: dict[str, Named] = {}
    for key, value in zip(found.keys, found.values, strict=True):
        axes = _axes(value)
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str) or axes is None:
            return None
        entries[key.value] = axes
    return Axes(entries, inputs, outputs)


def _names(call: ExportCall, option: str) -> tuple[str, ...] | None:
    """The names that an option lists; () where it is not given, None where they are not known."""
    written = call.options.get(option)
    if written is None or (isinstance(written, ast.Constant) and written.value is None):
        return ()
    listed = call.scope.written_out(written)
    if not isinstance(listed, (ast.Tuple, ast.List)):
        return None
    names = [part.value for part in listed.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return tuple(names) if len(names) == len(listed.elts) else None


def _axes(node: ast.expr) -> Named | None:
    """`{0: "batch"}` or `[0, 2]`; a tuple is refused by the exporter."""
    if isinstance(node, ast.List):
        axes = [_integer(part) for part in node.elts]
        return None if None in axes else {axis: None for axis in axes if axis is not None}
    if not isinstance(node, ast.Dict):
        return None
    found: Named = {}
    for key, value in zip(node.keys, node.values, strict=True):
        axis = None if key is None else _integer(key)
        if axis is None or not isinstance(value, ast.Constant) or not isinstance(value.value, str):
            return None
        found[axis] = value.value
    return found


def _integer(node: ast.expr) -> int | None:
    try:
        value: object = ast.literal_eval(node)
    except ValueError:
        return None
    return value if type(value) is int else None


def forward_of(project: Project, call: ExportCall) -> FunctionInfo | None:
    """The `forward` of the model that a call exports, with the signature that it is written with; None where that is not known."""
    target = exported(call.scope, call.model)
    found = target.find("forward", project) if isinstance(target, ClassInfo) else None
    spec = None if found is None else found.node.args
    if spec is None or spec.vararg is not None or spec.kwarg is not None:
        return None
    return found


def taken(call: ExportCall, parameters: Sequence[str]) -> list[str] | None:
    """The parameters that a call gives a value to, in their order; None where that is not known, or a value holds several."""
    parts, kwargs = _given(call)
    if any(isinstance(part, (ast.Starred, ast.Tuple, ast.List, ast.Dict)) for part in parts) or len(parts) > len(
        parameters
    ):
        return None
    named: list[str] = []
    if kwargs is not None:
        if not isinstance(kwargs, ast.Dict):
            return None
        keys = [key.value for key in kwargs.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        single = all(not isinstance(value, (ast.Tuple, ast.List, ast.Dict)) for value in kwargs.values)
        if len(keys) != len(kwargs.keys) or not single:
            return None
        named = keys
    positional = [*parameters[: len(parts)]]
    rest = [name for name in parameters[len(parts) :] if name in named]
    return positional + rest if len(rest) == len(named) else None


def _given(call: ExportCall) -> tuple[list[ast.expr], ast.expr | None]:
    """The arguments by position, and the dict of those by name, which may also be the last of the others."""
    args = None if call.args is None else call.scope.written_out(call.args)
    kwargs = None if call.kwargs is None else call.scope.written_out(call.kwargs)
    parts = args.elts if isinstance(args, ast.Tuple) else [] if args is None else [args]
    if kwargs is None and parts and isinstance(parts[-1], ast.Dict):
        *parts, kwargs = parts
    return parts, kwargs


def values_of(call: ExportCall) -> list[ast.expr]:
    """What a call gives to parameters, as far as it is written out."""
    parts, kwargs = _given(call)
    return [*parts, *(kwargs.values if isinstance(kwargs, ast.Dict) else ())]


def arguments_of(call: ExportCall, parameters: Sequence[str]) -> dict[str, ast.expr]:
    """What a call gives the parameters, as far as it is written out."""
    parts, kwargs = _given(call)
    named = zip(kwargs.keys, kwargs.values, strict=True) if isinstance(kwargs, ast.Dict) else ()
    return {
        **dict(zip(parameters, parts, strict=False)),
        **{str(key.value): value for key, value in named if isinstance(key, ast.Constant)},
    }


def shapes_of_axes(call: ExportCall, parameters: Sequence[str]) -> ast.expr | None:
    """`dynamic_shapes` as the exporter makes them of `dynamic_axes`, as an expression that stands at the same place; None where
    that is not known."""
    if call.dynamic_shapes is not None or (axes := read_axes(call)) is None:
        return None
    names, given = taken(call, parameters), axes.given()
    if names is None or len(names) != len(given):
        return None
    entries = [
        ast.Dict(
            [ast.Constant(axis) for axis in one], [ast.Constant(name or f"axis{axis}") for axis, name in one.items()]
        )
        for _, one in given
    ]
    made = ast.Dict([ast.Constant(name) for name in names], list[ast.expr](entries))
    place = call.options["dynamic_axes"]
    for node in ast.walk(made):
        ast.copy_location(node, place)
    return made
