"""check never imports or runs anything of the project: every place that Python would run by itself is planted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MODEL = """\
import planted
from torch import nn
from planted.inner import helper
from .sibling import other


class Net(nn.Module):
    def forward(self, x):
        if helper(x):
            return other(x)
        return x
"""


def plant(folder: Path) -> Path:
    """A project in which everything that would be run by an import leaves a mark. Returns where the mark would be."""
    mark = folder / "mark"
    leave = f"open({str(mark)!r}, 'a').write(__file__ if '__file__' in globals() else 'ran')\n"
    for name in (
        "conftest.py", "setup.py", "sitecustomize.py", "usercustomize.py", "planted/__init__.py", "planted/inner.py",
        "src/__init__.py", "src/sibling.py", "torch/__init__.py", "torch/nn.py", "plugin.py", "libcst/__init__.py",
        "click.py", "pathspec.py", "exportdb_rules/__init__.py", "lib/python3.11/site-packages/torch/__init__.py",
    ):  # fmt: skip
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(leave + "def helper(x):\n    return x.sum() > 0\n\ndef other(x):\n    return x\n")
    (folder / "evil.pth").write_text(f"import os; {leave}")
    (folder / "src" / "net.py").write_text(leave + MODEL)
    (folder / "bin").mkdir()
    python = folder / "bin" / "python"
    python.write_text(f"#!/bin/sh\necho python >> {mark}\n")
    python.chmod(0o755)
    (folder / "pyproject.toml").write_text(
        "[build-system]\nrequires = []\nbuild-backend = 'plugin'\nbackend-path = ['.']\n"
        "[tool.exportdb]\ninterpreter = 'bin/python'\n"
        "[tool.pytest.ini_options]\naddopts = '-p plugin'\n"
    )
    return mark


COMMANDS = [
    ["check", "."],
    ["check", "--mode", "both", "--output-format", "sarif", "src"],
    ["check", "--fix", "--unsafe-fixes", "src/net.py"],
    ["check", "--jobs", "2", "--no-cache", "."],
    ["rule", "EDB101"],
    ["cases", "list"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_nothing_of_the_project_runs(tmp_path: Path, arguments: list[str]) -> None:
    mark = plant(tmp_path)
    # The installed program, as its users start it: the current folder is not on its path.
    program = Path(sys.executable).with_name("exportdb-lsp")
    done = subprocess.run([str(program), *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert not mark.exists(), mark.read_text()


def test_the_mark_would_be_seen(tmp_path: Path) -> None:
    mark = plant(tmp_path)
    subprocess.run([sys.executable, "-c", "import planted.inner"], cwd=tmp_path, check=True)
    assert "planted" in mark.read_text()


@pytest.mark.skipif(shutil.which("unshare") is None or os.geteuid() != 0, reason="needs unshare and root")
def test_check_works_without_a_network(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(MODEL.replace("import planted\n", ""))
    program = Path(sys.executable).with_name("exportdb-lsp")
    command = ["unshare", "-n", str(program), "check", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    if "unshare failed" in done.stderr:
        pytest.skip("this kernel lets nobody leave the network")
    assert done.returncode in (0, 1), done.stderr
