"""What only looks like a file of the project: pipes, devices, endless and huge files, links to nowhere.

None is opened, none is waited for, the other files are checked as if it were not there, and it is told.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from exportdb_rules.disk import LARGEST, read_bytes

from ..conversation import diagnostics

PROGRAM = str(Path(sys.executable).with_name("exportdb-lsp"))
# Only to end a test that hangs.
PATIENCE = 240

MODEL = """\
import torch
from torch import nn

import odd
from odd import helper


class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return helper(x)
"""


def fifo(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def terminal(path: Path) -> None:
    path.symlink_to("/dev/tty")


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(20 * 2**30)


def listener(path: Path) -> None:
    # The name of a socket may be no longer than some 100 characters.
    here = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(f"/proc/self/fd/{here}/{path.name}")
    os.close(here)


def folder(path: Path) -> None:
    path.mkdir()


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


ODD = [fifo, endless, terminal, huge, listener, folder, dangling]
TOLD = ["odd.py", "other.py", "package/__init__.py", "pyproject.toml", ".gitignore", "below/.gitignore"]
NAMES = [
    *TOLD, ".git/info/exclude", ".python-version", ".venv/pyvenv.cfg", ".venv/bin/python",
    ".venv/lib/python3.11/site-packages/torch/version.py", ".venv/lib/python3.11/site-packages/odd.py",
]  # fmt: skip
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")


def environment() -> dict[str, str]:
    return {**os.environ, "VIRTUAL_ENV": ""}


def plant(tmp_path: Path, make: Callable[[Path], None], *names: str) -> None:
    (tmp_path / "net.py").write_text(MODEL)
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path)


def check(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, "check", "--no-cache", *arguments], cwd=tmp_path, env=environment(), capture_output=True, text=True,
        timeout=PATIENCE, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("make", ODD, ids=lambda make: make.__name__)
def test_the_other_files_are_checked(tmp_path: Path, make: Callable[[Path], None]) -> None:
    plant(tmp_path, make, *NAMES)
    done = check(tmp_path, ".")
    assert "net.py:10:12: EDB101" in done.stdout, done.stderr
    assert "Traceback" not in done.stderr
    said = done.stderr.splitlines()
    for name in TOLD:
        assert any(f" {name}:" in line for line in said) == (make is not folder or name == "pyproject.toml"), name


@pytest.mark.parametrize("make", [fifo, huge, dangling], ids=lambda make: make.__name__)
def test_one_that_is_named_is_an_error(tmp_path: Path, make: Callable[[Path], None]) -> None:
    plant(tmp_path, make, "odd.py")
    done = check(tmp_path, "odd.py")
    assert done.returncode == 2
    assert done.stderr.startswith("error: odd.py:")


@pytest.mark.parametrize("make", ODD, ids=lambda make: make.__name__)
def test_the_server_answers_for_the_other_files(tmp_path: Path, make: Callable[[Path], None]) -> None:
    plant(tmp_path, make, *NAMES)
    items = diagnostics(
        ["timeout", str(PATIENCE), PROGRAM, "--stdio"], tmp_path, tmp_path / "net.py", environment(), saves=True
    )
    assert [item["code"] for item in items] == ["EDB101"]


@pytest.mark.parametrize("make", [fifo, endless], ids=lambda make: make.__name__)
def test_the_files_of_the_cache_are_files(tmp_path: Path, make: Callable[[Path], None]) -> None:
    (tmp_path / "net.py").write_text(MODEL)
    caching = {**environment(), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def run() -> str:
        command = [PROGRAM, "check", "net.py"]
        return subprocess.run(
            command, cwd=tmp_path, env=caching, capture_output=True, text=True, timeout=PATIENCE, check=False
        ).stdout

    first = run()
    kept = list((tmp_path / "cache").rglob("*.json"))
    assert kept
    for path in kept:
        path.unlink()
        make(path)
    assert run() == first
    assert "EDB101" in first


def test_a_lock_of_an_editor_is_passed_over(tmp_path: Path) -> None:
    """Emacs marks a file that is being edited by a link to nowhere."""
    plant(tmp_path, lambda path: path.symlink_to("somebody@somewhere.123:456"), ".#net.py")
    assert check(tmp_path, ".").stderr == ""


def test_what_is_read_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    assert read_bytes(path) == b"x" * 10
    with pytest.raises(OSError, match="larger than"):
        read_bytes(path, most=9)
    with pytest.raises(OSError, match="not a regular file"):
        read_bytes(Path("/dev/null"))
    # Some files say that they are empty, and are not.
    with pytest.raises(OSError, match="larger than"):
        read_bytes(Path("/proc/self/maps"), most=9)
    assert LARGEST > 2**20
