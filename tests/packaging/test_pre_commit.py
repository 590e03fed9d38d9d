"""The hooks of .pre-commit-hooks.yaml, installed and run by pre-commit in a repository that asks for them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import BRANCH, ROOT

pytestmark = pytest.mark.xdist_group("packaging")

# What the sdist holds besides the tests, and what pre-commit looks for.
SHIPPED = ("cases", "rules", "server", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
DETACHED = (
    "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n        return x + x{}\n"
)
CONFIG = """\
repos:
  - repo: {repository}
    rev: v1
    hooks:
      - id: {hook}
"""


@dataclass(frozen=True)
class Tools:
    """git and pre-commit, with settings and a cache of their own. `hooks` is the repository that has our hooks."""

    home: Path
    hooks: Path

    def __call__(self, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "GIT_"))}
        who = {f"GIT_{role}_{what}": "x@y" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environment = {
            **inherited,
            **who,
            "HOME": str(self.home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PRE_COMMIT_HOME": str(self.home / "pre-commit"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            # Two thirds of the time would be bytecode of what is never imported.
            "PIP_NO_COMPILE": "1",
        }
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)

    def git(self, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return self("git", *arguments, cwd=cwd)

    def repository(self, folder: Path) -> Path:
        """All of a folder, committed and tagged."""
        for arguments in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "-m", "x"), ("tag", "v1")):
            done = self.git(*arguments, cwd=folder)
            assert done.returncode == 0, done.stderr
        return folder

    def project(self, folder: Path, hook: str) -> Path:
        """A repository that asks for a hook at each commit."""
        folder.mkdir()
        (folder / ".pre-commit-config.yaml").write_text(CONFIG.format(repository=self.hooks, hook=hook))
        self.repository(folder)
        done = self(sys.executable, "-m", "pre_commit", "install", cwd=folder)
        assert done.returncode == 0, done.stderr
        return folder


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    home = tmp_path_factory.mktemp("home")
    hooks = home / "hooks"
    hooks.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, hooks / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, hooks / name)
    made = Tools(home, hooks)
    made.repository(hooks)
    return made


def test_the_manifest_is_one() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_commit_with_a_finding_is_refused(tools: Tools, tmp_path: Path) -> None:
    project = tools.project(tmp_path / "project", "exportdb")
    (project / "not committed.py").write_text(BRANCH)
    (project / "notes.txt").write_text("class (\n")
    (project / "my net.py").write_text(BRANCH)
    tools.git("add", "notes.txt", "my net.py", cwd=project)
    done = tools.git("commit", "-m", "a model", cwd=project)
    assert done.returncode == 1, done.stderr
    assert "my net.py:8:12: EDB101" in done.stderr
    assert "not committed" not in done.stderr
    assert "notes" not in done.stderr


def test_a_commit_without_one_is_made(tools: Tools, tmp_path: Path) -> None:
    project = tools.project(tmp_path / "project", "exportdb")
    (project / "net.py").write_text(DETACHED.format(""))
    tools.git("add", "net.py", cwd=project)
    done = tools.git("commit", "-m", "a model", cwd=project)
    assert done.returncode == 0, done.stderr
    assert "Passed" in done.stderr


def test_the_hook_that_fixes_leaves_the_fix_to_be_looked_at(tools: Tools, tmp_path: Path) -> None:
    project = tools.project(tmp_path / "project", "exportdb-fix")
    (project / "net.py").write_text(DETACHED.format(".data"))
    tools.git("add", "net.py", cwd=project)
    done = tools.git("commit", "-m", "a model", cwd=project)
    assert done.returncode == 1, done.stderr
    assert "files were modified by this hook" in done.stderr
    assert (project / "net.py").read_text() == DETACHED.format(".detach()")
    tools.git("add", "net.py", cwd=project)
    done = tools.git("commit", "-m", "a model", cwd=project)
    assert done.returncode == 0, done.stderr


def test_the_hook_brings_no_torch(tools: Tools, tmp_path: Path) -> None:
    project = tools.project(tmp_path / "project", "exportdb")
    done = tools(sys.executable, "-m", "pre_commit", "install-hooks", cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [*tools.home.glob("pre-commit/*/py_env-*/lib/python*/site-packages/libcst")]
    assert not [*tools.home.glob("pre-commit/*/py_env-*/lib/python*/site-packages/torch")]
