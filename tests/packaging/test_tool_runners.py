"""As people use it who install nothing: `uvx exportdb-lsp …`, on every Python that is supported and is here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ..conversation import diagnostics
from .conftest import BRANCH

pytestmark = pytest.mark.xdist_group("packaging")

UVX = Path(sys.executable).with_name("uvx")
PYTHONS = [f"3.{minor}" for minor in range(10, 14)]
Runner = Callable[..., list[str]]


def pythons_on_path() -> str:
    """PATH with the Pythons that pyenv has, in place of its shims, which work only where a folder asks for them."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders = [folder for folder in os.environ["PATH"].split(os.pathsep) if "shims" not in Path(folder).parts]
    return os.pathsep.join([*folders, *map(str, sorted(versions.glob("*/bin")))])


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    if not UVX.exists():
        pytest.skip("uv is not installed: make install")
    home = tmp_path_factory.mktemp("uv")
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {
        **inherited,
        "PATH": pythons_on_path(),
        "UV_CACHE_DIR": str(home / "cache"),
        "UV_TOOL_DIR": str(home / "tools"),
        "UV_PYTHON_DOWNLOADS": "never",
        "XDG_CACHE_HOME": str(home / "kept"),
    }


@pytest.fixture(scope="module")
def uvx(wheel: Path) -> Runner:
    """The command line that runs the wheel of this checkout."""

    def command(*arguments: str, python: str = f"3.{sys.version_info.minor}") -> list[str]:
        return [str(UVX), "--quiet", "--python", python, "--from", str(wheel), "exportdb-lsp", *arguments]

    return command


@pytest.mark.parametrize("python", PYTHONS)
def test_check_on_every_python(uvx: Runner, environment: dict[str, str], tmp_path: Path, python: str) -> None:
    if python != f"3.{sys.version_info.minor}" and shutil.which(f"python{python}", path=environment["PATH"]) is None:
        pytest.skip(f"there is no Python {python} here")
    (tmp_path / "net.py").write_text(BRANCH)
    command = uvx("check", "--fix", "--unsafe-fixes", "net.py", python=python)
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "torch.where(" in (tmp_path / "net.py").read_text()


def test_the_server_needs_no_torch(uvx: Runner, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(BRANCH)
    items = diagnostics(uvx("--stdio"), tmp_path, tmp_path / "net.py", environment)
    assert [item["code"] for item in items] == ["EDB101"]


def test_the_worker_has_the_torch_of_the_project(uvx: Runner, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(BRANCH)
    (tmp_path / "pyproject.toml").write_text(f"[tool.exportdb]\ninterpreter = '{sys.executable}'\n")
    trusting = {**environment, "EXPORTDB_LSP_TRUSTED": str(tmp_path)}
    done = subprocess.run(
        uvx("export", "net.py"), cwd=tmp_path, env=trusting, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "Net (non-strict) fails: Data-dependent branch" in done.stdout
