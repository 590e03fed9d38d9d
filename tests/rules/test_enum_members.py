"""Members of an Enum that are looked up by a number, beside what export does with them in both modes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.project import Project

NET = """\
import enum
import torch


class Kind(enum.{base}):
    NONE = 0
    ALL = 1


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.chosen = 1
        self.register_buffer("kept", torch.tensor(1))

    def forward(self, x: torch.Tensor, n: torch.Tensor):
        if Kind({number}) is Kind.NONE:
            return x
        return x + 1
"""
ROWS = [
    ("Enum", "n.item()", True),
    ("IntEnum", "int(n)", True),
    ("Enum", "self.kept.item()", True),
    ("Enum", "self.chosen", False),
    ("Enum", "x.dim() - 1", False),
]


@pytest.mark.parametrize(("base", "number", "fails"), ROWS, ids=range(len(ROWS)))
def test_a_number_from_data_is_compared_with_all_values(
    base: str, number: str, fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = NET.format(base=base, number=number)
    project = Project()
    project.set_text("/net.py", text)
    findings = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode))).findings
    assert any(one.code == "EDB103" for one in findings) is fails
    torch = pytest.importorskip("torch")
    path = tmp_path / "net.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("net_of_members", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # strict export looks up the class there
    spec.loader.exec_module(module)
    for mode in Mode:
        assert any(one.verdict.get(mode) == Verdict.FAILS for one in findings) is fails
        assert refused(torch, module.Net(), mode is Mode.STRICT) is fails


def refused(torch: Any, net: Any, strict: bool) -> bool:
    """Whether export refuses a model in a mode."""
    try:
        torch.export.export(net, (torch.randn(2, 3), torch.tensor(1)), strict=strict)
    except Exception:
        return True
    finally:
        torch._dynamo.reset()
    return False
