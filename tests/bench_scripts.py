"""The scripts of bench/ are no package: a test loads one as it is run, with bench/ on the path."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

BENCH = Path(__file__).parents[1] / "bench"


def load(path: str) -> ModuleType:
    """A script of bench/ as a module."""
    spec = importlib.util.spec_from_file_location(f"bench_{Path(path).stem}", BENCH / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look their module up
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(BENCH), *sys.path])
        spec.loader.exec_module(module)
    return module
