"""sdist and wheel, built from the checkout and tried in an empty environment: no torch, no source tree."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from .conftest import BRANCH, ROOT

# One process for the whole folder: its tests build on the wheel.
pytestmark = pytest.mark.xdist_group("packaging")

UV = Path(sys.executable).with_name("uv")


def test_the_wheel_holds_the_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "exportdb_rules/torch_api.json" in names
    assert [n for n in names if n.startswith("exportdb_cases/support/") and n.endswith(".json")]
    for source in sorted((ROOT / "cases" / "exportdb_cases").rglob("*.py")):
        assert source.relative_to(ROOT / "cases").as_posix() in names
    assert "exportdb_lsp/worker/__main__.py" in names
    assert not [n for n in names if n.startswith(("tests/", "bench/", "examples/", "vscode-extension/"))]
    assert [n for n in names if n.endswith("licenses/LICENSE")]


def test_the_wheel_asks_for_no_torch(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (metadata,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
    required = [
        line.removeprefix("Requires-Dist: ")
        for line in archive.read(metadata).decode().splitlines()
        if line.startswith("Requires-Dist: ")
    ]
    assert [r for r in required if r.startswith("torch") and "extra == 'torch'" in r]
    assert not [r for r in required if r.startswith("torch") and "extra" not in r]


def test_the_sdist_holds_the_tests(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = archive.getnames()
    assert [n for n in names if n.endswith("tests/packaging/test_distribution.py")]
    assert not [n for n in names if ".venv" in n or "node_modules" in n]


def interpreters() -> list[str]:
    """The oldest and the newest supported Python that this machine has, from PATH or from pyenv.

    With EXPORTDB_ALL_PYTHONS set, those between them too: an environment takes a while to fill.
    """
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found: dict[str, str] = {f"python3.{sys.version_info.minor}": sys.executable}
    for name in (f"python3.{minor}" for minor in range(10, 14)):
        for candidate in (shutil.which(name), *versions.glob(f"*/bin/{name}")):
            # A shim of pyenv is there for every version that any folder uses, and works only in those.
            if candidate and "shims" not in Path(candidate).parts:
                found.setdefault(name, str(candidate))
    ordered = [found[name] for name in sorted(found, key=lambda name: int(name.partition(".")[2]))]
    return ordered if os.environ.get("EXPORTDB_ALL_PYTHONS") else ordered[:: max(len(ordered) - 1, 1)]


@pytest.fixture(scope="module", params=interpreters(), ids=lambda path: Path(path).name)
def program(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console script, in an environment that has the wheel and what it depends on and nothing else."""
    folder = tmp_path_factory.mktemp("venv")
    python = folder / "bin" / "python"
    # In a fifth of the time that venv and pip take; with pip it is installed where the action is tested.
    for arguments in (
        ["venv", "--python", request.param, str(folder)],
        ["pip", "install", "--python", str(python), str(wheel)],
    ):
        command = [str(UV), "--quiet", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return folder / "bin" / "exportdb-lsp"


def call(program: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run(
        [str(program), *arguments], cwd=cwd, capture_output=True, text=True, check=False, env=environment
    )


def test_it_runs_without_torch(program: Path, tmp_path: Path) -> None:
    assert call(program, "--version", cwd=tmp_path).returncode == 0
    (tmp_path / "net.py").write_text(BRANCH)
    done = call(program, "check", "net.py", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "net.py:8:12: EDB101" in done.stdout
    assert "torch.where(" in call(program, "check", "--diff", "--unsafe-fixes", "net.py", cwd=tmp_path).stdout
    assert "tensor-branch" in call(program, "rule", "EDB101", cwd=tmp_path).stdout
    assert call(program, "cases", "list", cwd=tmp_path).returncode == 0


def test_export_without_torch_says_so(program: Path, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(BRANCH)
    done = call(program, "export", "net.py", cwd=tmp_path)
    assert done.returncode == 2
    assert "torch" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_the_worker_uses_the_users_torch(program: Path, tmp_path: Path) -> None:
    """As with pipx or uvx: the program has no torch, the interpreter of the project does."""
    pytest.importorskip("torch")
    (tmp_path / "net.py").write_text(BRANCH)
    done = call(program, "export", "net.py", "--python", sys.executable, "--output-format", "json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert '"outcome": "fails"' in done.stdout
