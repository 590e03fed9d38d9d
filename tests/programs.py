"""Programs in tests are blocks: they stand as in a file, indented as the test around them is."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from textwrap import dedent, indent
from types import ModuleType
from typing import Any

import pytest


def block(text: str) -> str:
    """The program that a block shows: without the indentation of the block, and with one line end behind its last line."""
    return dedent(text).strip("\n") + "\n"


def fill(template: str, **parts: str) -> str:
    """A template of `str.format` with blocks put in, each indented as the line of the template that it begins on.

    In a part of one line, `;` and a space end a line.
    """
    filled: dict[str, str] = {}
    for name, part in parts.items():
        line = re.search(rf"^( *).*\{{{name}\}}", template, re.MULTILINE)
        margin = line[1] if line is not None else ""
        lines = block(part) if "\n" in part else part.replace("; ", "\n")
        filled[name] = indent(lines.rstrip("\n"), margin).removeprefix(margin)
    return template.format(**filled)


def load(text: str, folder: Path, name: str) -> ModuleType:
    """A program written into a folder, and run as a module of that name."""
    path = folder / "net.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def model_exports(model: Any, inputs: tuple[Any, ...], *, strict: bool, dynamic_shapes: Any = None) -> bool:
    """Whether a model, which runs in eager, exports."""
    torch = pytest.importorskip("torch")
    distribution = torch.distributions.Distribution
    validates = distribution._validate_args
    try:
        model(*inputs)
        try:
            torch.export.export(model, inputs, dynamic_shapes=dynamic_shapes, strict=strict)
        except Exception:
            return False
        finally:
            if strict:
                torch._dynamo.reset()
    finally:
        # Dynamo turns the validation of distributions off for the whole process when `torch.cond` first calls it.
        distribution.set_default_validate_args(validates)
    return True
