"""Write `exportdb_rules/onnx_options.json`: what each option of `torch.onnx.export` does, measured.

    python rules/scripts/onnx_options.py [--check NAME…]

A small model is exported with each option, by both exporters: the one that goes through torch.export (`dynamo=True`) and the
one of TorchScript. What is made is compared with what the call without the option makes, as bytes, where it is returned and in
the file that is written. An option is `ignored` if every value of it makes the same, `unsaved` if only a file shows it,
`refused` if the call raises, else it `works`. The operator sets that come out for those that are asked for, and what becomes of
`dynamic_axes`, are measured as well.

With `--check` nothing is written: the options and the rows of `dynamic_axes` that are named are measured again, and the exit
status is 1 where the table says something else.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import logging
import sys
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxscript import opset18

OUT = Path(__file__).parents[1] / "exportdb_rules" / "onnx_options.json"
# What only the TorchScript exporter may do something with, and the values that are tried with the other.
OLD: dict[str, list[Any]] = {
    "training": [torch.onnx.TrainingMode.TRAINING, torch.onnx.TrainingMode.PRESERVE],
    "operator_export_type": [torch.onnx.OperatorExportTypes.ONNX_ATEN_FALLBACK, torch.onnx.OperatorExportTypes.ONNX_ATEN],
    "do_constant_folding": [False, True],
    "custom_opsets": [{"mine": 2}],
    "export_modules_as_functions": [True, {torch.nn.Linear}],
    "autograd_inlining": [False, True],
    "keep_initializers_as_inputs": [True],
    "export_params": [False],
}  # fmt: skip
# What only the exporter that goes through torch.export may do something with, and the values that are tried with the other.
NEW: dict[str, list[Any]] = {
    "external_data": [False],
    "custom_translation_table": [{torch.ops.aten.relu.default: lambda x: opset18.Abs(x)}],
    "report": [True],
    "optimize": [False],
    "verify": [True],
    "profile": [True],
    "dump_exported_program": [True],
    "dynamic_shapes": [{"x": {0: torch.export.Dim.DYNAMIC}}],
}
# What earlier versions had.
REMOVED: dict[str, list[Any]] = {
    "fallback": [True, False],
    "example_outputs": [None],
    "strip_doc_string": [True],
    "enable_onnx_checker": [True],
    "use_external_data_format": [True],
    "aten": [True],
    "_retain_param_name": [True],
}
VALUES = OLD | NEW | REMOVED


class Net(torch.nn.Module):
    """Has weights, constants that can be folded, and layers that differ in training mode."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.norm = torch.nn.BatchNorm1d(4)
        self.drop = torch.nn.Dropout()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.drop(self.linear(x)).relu()) + torch.arange(4) * 2


class Two(torch.nn.Module):
    """Two inputs, which can be mistaken for one another."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x.sum() + y


# What is said of the two inputs, with their names.
AXES: dict[str, tuple[dict[str, Any], list[str] | None]] = {
    "in order": ({"x": {0: "n"}, "y": {1: "m"}}, ["x", "y"]),
    "other order": ({"y": {1: "m"}, "x": {0: "n"}}, ["x", "y"]),
    "second only": ({"y": {1: "m"}}, ["x", "y"]),
    "first only": ({"x": {0: "n"}}, ["x", "y"]),
    "without names": ({"x": {0: "n"}}, None),
    "unknown name": ({"x": {0: "n"}, "y": {1: "m"}, "z": {0: "k"}}, ["x", "y"]),
    "tuple": ({"x": (0,), "y": [1]}, ["x", "y"]),
    "negative axis": ({"x": {-2: "n"}, "y": {-1: "m"}}, ["x", "y"]),
}


def exported(folder: str, dynamo: bool, **options: Any) -> tuple[bytes, bytes] | str:
    """What is returned and what is written, as bytes; the name of the error where the call raises."""
    for old in Path(folder).iterdir():
        old.unlink()
    path = Path(folder) / "net.onnx"
    torch.manual_seed(0)
    model, args = Net().eval(), (torch.ones(3, 4),)
    try:
        made = torch.onnx.export(model, args, dynamo=True, **options) if dynamo else None
        torch.onnx.export(model, args, str(path), dynamo=dynamo, **options)
    except Exception as error:
        return type(error).__name__
    written = b"".join(file.read_bytes() for file in sorted(path.parent.glob("net.onnx*")))
    return (made.model_proto.SerializeToString() if made is not None else written), written


def effect(folder: str, dynamo: bool, name: str, plain: tuple[bytes, bytes]) -> str:
    """What an option does."""
    found: set[str] = set()
    for value in VALUES[name]:
        made = exported(folder, dynamo, **{name: value})
        if isinstance(made, str):
            found.add("refused")
        elif made[0] != plain[0]:
            found.add("works")
        else:
            found.add("ignored" if made[1] == plain[1] else "unsaved")
    return next(word for word in ("works", "refused", "unsaved", "ignored") if word in found)


def assigned(folder: str, axes: dict[str, Any], names: list[str] | None) -> list[list[str]] | str:
    """The shapes of the two inputs of the model that is made; the name of the error where the call raises."""
    try:
        made = torch.onnx.export(
            Two(), (torch.ones(3, 4), torch.ones(3, 4)), dynamo=True, input_names=names, dynamic_axes=axes
        )
    except Exception as error:
        return type(error).__name__
    return [[str(size) for size in value.shape] for value in made.model.graph.inputs]


def measured(names: list[str], opsets: range) -> dict[str, Any]:
    """The table of these options and rows of `dynamic_axes`, and of these operator sets."""
    chosen = [name for name in names if name not in AXES]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        plain: dict[bool, tuple[bytes, bytes]] = {}
        for dynamo in (True, False) if chosen else ():
            made = exported(folder, dynamo)
            assert not isinstance(made, str), made
            plain[dynamo] = made
        known = {*inspect.signature(torch.onnx.export).parameters}
        options: dict[str, dict[str, str]] = {}
        for name in chosen:
            options[name] = {
                exporter: effect(folder, dynamo, name, plain[dynamo])
                for exporter, dynamo in (("dynamo", True), ("torchscript", False))
                if name not in (NEW if dynamo else OLD)
            }
            assert name not in REMOVED or {*options[name].values()} == {"refused"}, name
        converted: dict[str, int] = {}
        for asked in opsets:
            made = exported(folder, True, opset_version=asked)
            assert not isinstance(made, str), (asked, made)
            converted[str(asked)] = onnx.load_from_string(made[0]).opset_import[0].version
        axes = {label: assigned(folder, *said) for label, said in AXES.items() if label in names}
    packages = {name: version(name).partition("+")[0] for name in ("torch", "onnx", "onnxscript")}
    return {
        "versions": packages,
        "parameters": sorted(known),
        "options": options,
        "opsets": converted,
        "dynamic_axes": axes,
    }


def main() -> None:
    """Write the table, or compare it."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    check = sys.argv[1:2] == ["--check"]
    with contextlib.redirect_stdout(io.StringIO()):
        table = measured(sys.argv[2:] if check else [*VALUES, *AXES], range(0) if check else range(9, 24))
    if check:
        known = json.loads(OUT.read_text("utf-8"))
        for part in ("options", "dynamic_axes"):
            known[part] = {name: row for name, row in known[part].items() if name in sys.argv[2:]}
        wrong = [part for part in ("parameters", "options", "dynamic_axes") if known[part] != table[part]]
        for part in wrong:
            print(f"{part}: the table has {known[part]}, measured {table[part]}")
        sys.exit(bool(wrong))
    OUT.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
