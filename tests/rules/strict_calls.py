"""A model that makes one call, and what strict export and check say of it."""

from __future__ import annotations

import importlib.util
import sys
import zlib
from typing import TYPE_CHECKING

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.project import Project

from ..programs import fill

if TYPE_CHECKING:
    from pathlib import Path

NET = """\
{imports}
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        found = {call}
        return x + 1
"""


def refused(imports: str, call: str, folder: Path) -> bool:
    """Whether strict export refuses a model that makes a call, and non-strict export does not."""
    torch = pytest.importorskip("torch")
    path = folder / "net.py"
    path.write_text(fill(NET, imports=imports, call=call))
    # Dynamo goes on to find what a module imports in the first that had its name.
    spec = importlib.util.spec_from_file_location(f"net_{zlib.crc32(call.encode())}", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch.export.export(module.Net(), (torch.randn(2, 3),), strict=False)
    try:
        torch.export.export(module.Net(), (torch.randn(2, 3),), strict=True)
    except Exception:
        return True
    finally:
        torch._dynamo.reset()
        sys.modules.pop(spec.name, None)
    return False


def found(imports: str, call: str) -> list[tuple[bool, bool]]:
    """What check says: for each finding, whether it is one in non-strict and in strict mode."""
    project = Project()
    project.set_text("/net.py", fill(NET, imports=imports, call=call))
    report = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode)))
    return [tuple(finding.verdict[mode] is not Verdict.OK for mode in Mode) for finding in report.findings]
