"""The server that comes with the extension for VS Code: a bare Python starts it, and its own packages stay its own."""

from __future__ import annotations

import ast
import platform
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from ..conversation import diagnostics
from .conftest import BRANCH, ROOT

EXTENSION = ROOT / "vscode-extension"
# One process for the whole folder: its tests build on the wheel.
pytestmark = pytest.mark.xdist_group("packaging")
SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "win32"}
MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
TARGET = f"{SYSTEMS.get(sys.platform)}-{MACHINES.get(platform.machine().lower())}"
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture(scope="module")
def bundled(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder as it is packed, for the platform and the Python that run this."""
    folder = tmp_path_factory.mktemp("extension") / "bundled"
    command = [sys.executable, EXTENSION / "bundle.py", TARGET, wheel, "--into", folder, "--python", THIS]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has no package at all."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    none = subprocess.run([python, "-c", "import exportdb_lsp"], capture_output=True, text=True, cwd=folder)
    assert "No module named 'exportdb_lsp'" in none.stderr
    return str(python)


def test_a_bare_python_serves_an_editor(bundled: Path, bare: str, tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(BRANCH)
    found = diagnostics([bare, str(bundled / "run_server.py"), "--stdio"], tmp_path, path)
    assert [mark["code"] for mark in found] == ["EDB101"]


def test_nothing_of_it_reaches_the_processes_that_it_starts(bundled: Path, bare: str, tmp_path: Path) -> None:
    """The interpreter that exports has packages of its own: no variable leads it to those of the server."""
    program = (
        "import os, runpy, sys\n"
        "before = dict(os.environ)\n"
        f"script = {str(bundled / 'run_server.py')!r}\n"
        "sys.argv = [script, '--version']\n"
        "sys.path[0] = os.path.dirname(script)\n"
        "try:\n"
        "    runpy.run_path(script, run_name='__main__')\n"
        "except SystemExit:\n"
        "    pass\n"
        "assert 'exportdb_lsp' in sys.modules\n"
        "assert dict(os.environ) == before\n"
    )
    done = subprocess.run([bare, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("exportdb-lsp ")


def test_a_python_that_is_too_old_is_told_apart(bundled: Path) -> None:
    """The launcher must be read by it: nothing in it is newer than Python 3.6."""
    source = (bundled / "run_server.py").read_text("utf-8")
    ast.parse(source, feature_version=(3, 6))
    assert source.index("version_info < (3, 10)") < source.index("from exportdb_lsp")


def test_a_release_builds_every_platform() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (targets,) = [line.split(":=")[1].split() for line in makefile.splitlines() if line.startswith("VSCODE_TARGETS")]
    done = subprocess.run([sys.executable, EXTENSION / "bundle.py", "--help"], capture_output=True, text=True)
    assert "{" + ",".join(targets) + "}" in done.stdout
