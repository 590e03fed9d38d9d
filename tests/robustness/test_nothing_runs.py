"""check and the server never import or run anything of the project: every place that Python would run by itself is planted.

And nothing connects anywhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from exportdb_lsp.cli.program import program

from ..conversation import diagnostics

# The installed program, as its users start it: the current folder is not on its path.
PROGRAM = str(Path(sys.executable).with_name("exportdb-lsp"))

MODEL = """\
import planted
from torch import nn
from planted.inner import helper
from .sibling import other


# exportdb: args=(open({mark!r}, "a").write("inputs"),)
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
        "lib/python3.11/site-packages/sitecustomize.py", ".venv/lib/python3.11/site-packages/sitecustomize.py",
    ):  # fmt: skip
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(leave + "def helper(x):\n    return x.sum() > 0\n\ndef other(x):\n    return x\n")
    for place in (".", "lib/python3.11/site-packages", ".venv/lib/python3.11/site-packages"):
        (folder / place / "evil.pth").write_text(f"import os; {leave}")
    (folder / "src" / "net.py").write_text(leave + MODEL.replace("{mark!r}", repr(str(mark))))
    for place in ("bin", ".venv/bin", "venv/bin", "env/bin", "pyenv/bin"):
        (folder / place).mkdir(parents=True)
        python = folder / place / "python"
        python.write_text(f"#!/bin/sh\necho python >> {mark}\n")
        python.chmod(0o755)
    hook = f"sh -c 'echo git >> {mark}'"
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text(
        f'[core]\n\tfsmonitor = "{hook}"\n\tpager = "{hook}"\n\tsshCommand = "{hook}"\n'
        f'[filter "evil"]\n\tclean = "{hook}"\n\tsmudge = "{hook}"\n[diff "evil"]\n\ttextconv = "{hook}"\n'
    )
    (folder / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    (folder / ".python-version").write_text(f"{folder / 'pyenv'}\n")
    (folder / ".env").write_text(f"EXPORTDB_LSP_TRUSTED={folder}\n")
    (folder / "pyproject.toml").write_text(
        "[build-system]\nrequires = []\nbuild-backend = 'plugin'\nbackend-path = ['.']\n"
        "[tool.exportdb]\ninterpreter = 'bin/python'\nexport-on-save = true\n"
        f'[tool.exportdb.targets.Net]\nargs = \'(open("{mark}", "a").write("inputs"),)\'\n'
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
    ["doctor"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_nothing_of_the_project_runs(tmp_path: Path, arguments: list[str]) -> None:
    mark = plant(tmp_path)
    done = subprocess.run([PROGRAM, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert not mark.exists(), mark.read_text()


@pytest.mark.parametrize("environment", [{}, {"VIRTUAL_ENV": "", "PATH": "/usr/bin:/bin"}], ids=["here", "bare"])
@pytest.mark.parametrize(
    "options",
    [None, {}, {"mode": "both"}, {"trusted": False}, {"exportOnSave": True}],
    ids=["no options", "none", "of other things", "not trusted", "export on save"],
)
def test_nothing_of_the_project_runs_in_the_server(
    tmp_path: Path, options: dict[str, object] | None, environment: dict[str, str]
) -> None:
    mark = plant(tmp_path)
    file = tmp_path / "src" / "net.py"
    given = {**os.environ, **environment}
    items = diagnostics([PROGRAM, "--stdio"], tmp_path, file, given, options=options, saves=True)
    assert [item["code"] for item in items] == ["EDB101"]
    assert not mark.exists(), mark.read_text()


@pytest.mark.parametrize("way", ["editor", "environment"])
def test_what_a_trusted_project_starts_is_seen(tmp_path: Path, way: str) -> None:
    mark = plant(tmp_path)
    file = tmp_path / "src" / "net.py"
    environment = {**os.environ, **({"EXPORTDB_LSP_TRUSTED": str(tmp_path)} if way == "environment" else {})}
    options = {"trusted": True} if way == "editor" else None
    diagnostics([PROGRAM, "--stdio"], tmp_path, file, environment, options=options, saves=True)
    assert mark.read_text() == "python\n"


@pytest.mark.usefixtures("lent_workers")
def test_who_asks_for_an_export_gets_no_program_that_the_project_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is asked for, `interpreter` is not."""
    mark = tmp_path / "mark"
    (tmp_path / "evil").write_text(f"#!/bin/sh\necho python >> {mark}\n")
    (tmp_path / "evil").chmod(0o755)
    (tmp_path / "pyproject.toml").write_text("[tool.exportdb]\ninterpreter = './evil'\n")
    (tmp_path / "net.py").write_text(EXPORTED)
    (tmp_path / "bad.py").write_text(EXPORTED.replace("return x + 1", "return x + 1 if x.sum() > 0 else x"))

    monkeypatch.chdir(tmp_path)

    def said(*arguments: str, trusted: str = "") -> str:
        return CliRunner().invoke(program, arguments, env={"EXPORTDB_LSP_TRUSTED": trusted}).stderr

    told = "pyproject.toml:2:1: interpreter is ignored"
    assert told in said("export", "net.py")
    done = subprocess.run([PROGRAM, "run", "net.py"], capture_output=True, text=True, check=False)
    assert told in done.stderr
    assert told in said("check", "--fix", "--unsafe-fixes", "--verify", "bad.py")
    # Where nothing would be started there is nothing to tell.
    assert told not in said("check", "net.py")
    assert told not in said("export", "net.py", "--python", sys.executable)
    assert not mark.exists(), mark.read_text()
    for trusted in (str(tmp_path), str(tmp_path.parent), os.pathsep.join(("/nowhere", str(tmp_path)))):
        assert told not in said("doctor", trusted=trusted)
        assert mark.read_text() == "python\n"
        mark.unlink()
    for other in (".", str(tmp_path / "deeper"), str(tmp_path)[:-1]):
        said("doctor", trusted=other)
        assert not mark.exists(), mark.read_text()


SEEN = [
    # How Python comes to run each of them.
    ("planted", "import planted.inner", {}),
    ("sitecustomize", "pass", {"PYTHONPATH": "."}),
    ("evil.pth", "import site; site.addsitedir('.')", {}),
    ("conftest", "import pytest; pytest.main(['-c', '/dev/null', '--collect-only', '-q', '.'])", {}),
    ("plugin", "import build; build.ProjectBuilder('.').get_requires_for_build('wheel')", {}),
]


@pytest.mark.parametrize(("place", "code", "environment"), SEEN, ids=[seen[0] for seen in SEEN])
def test_the_mark_would_be_seen(tmp_path: Path, place: str, code: str, environment: dict[str, str]) -> None:
    mark = plant(tmp_path)
    # Away from the current folder, but for what is to be shown: it would run the other files as well.
    script = tmp_path.with_name(tmp_path.name + "-run.py")
    script.write_text(code if place != "planted" else f"import sys; sys.path.insert(0, '.'); {code}")
    subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, check=False
    )
    assert mark.exists()


# Runs in every Python that is started with this folder on its path, worker and children included.
WATCH = """\
import sys

def watch(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.connect", "socket.bind", "socket.sendto"):
        with open({mark!r}, "a") as file:
            file.write(f"{{event}} {{arguments[1:]}}\\n")

sys.addaudithook(watch)
"""
EXPORTED = """\
import torch


# exportdb: args=(torch.randn(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1
"""
WATCHED = [
    (["check", "."], 1),
    (["check", "--fix", "--unsafe-fixes", "--verify", "net.py"], 0),
    (["rule", "EDB101"], 0),
    (["cases", "show", "tensor_if"], 0),
    (["cases", "run", "tensor_if", "--mode", "strict"], 0),
]


def networked(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A project, and the environment in which each use of a socket is written to `tmp_path / "mark"`."""
    watch, project = tmp_path / "watch", tmp_path / "project"
    for folder in (watch, project):
        folder.mkdir()
    (watch / "sitecustomize.py").write_text(WATCH.format(mark=str(tmp_path / "mark")))
    (project / "good.py").write_text(EXPORTED)
    (project / "net.py").write_text(EXPORTED.replace("return x + 1", "return x + 1 if x.sum() > 0 else x"))
    return project, {**os.environ, "PYTHONPATH": str(watch)}


@pytest.mark.parametrize(("arguments", "status"), WATCHED, ids=[" ".join(watched[0]) for watched in WATCHED])
def test_nothing_uses_the_network(tmp_path: Path, arguments: list[str], status: int) -> None:
    project, environment = networked(tmp_path)
    command = [PROGRAM, *arguments]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert not (tmp_path / "mark").exists(), (tmp_path / "mark").read_text()


def test_the_server_uses_no_network(tmp_path: Path) -> None:
    project, environment = networked(tmp_path)
    assert diagnostics([PROGRAM, "--stdio"], project, project / "net.py", environment)
    assert not (tmp_path / "mark").exists(), (tmp_path / "mark").read_text()


def test_a_use_of_the_network_would_be_seen(tmp_path: Path) -> None:
    _, environment = networked(tmp_path)
    code = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('127.0.0.1', 9))"
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert (tmp_path / "mark").read_text() == "socket.connect (('127.0.0.1', 9),)\n"


@pytest.mark.skipif(shutil.which("unshare") is None or os.geteuid() != 0, reason="needs unshare and root")
@pytest.mark.parametrize("arguments", [["check", "."], ["export", "good.py"]], ids=" ".join)
def test_it_works_without_a_network(tmp_path: Path, arguments: list[str]) -> None:
    project, _ = networked(tmp_path)
    command = ["unshare", "-n", PROGRAM, *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    if "unshare failed" in done.stderr:
        pytest.skip("this kernel lets nobody leave the network")
    assert done.returncode in (0, 1), done.stderr
