"""Calls that `exportdb-lsp run` has watched, as check, export and the editor know them afterwards."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from exportdb_lsp.checking.plan import Plan
from exportdb_lsp.confirm import recorded
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import InputOrigin, Outcome
from exportdb_rules.declared import DynamicSize, PlainInput, TensorInput
from exportdb_rules.finding import Mode

NET = """\
import torch


class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, 2)

    def forward(self, x, count):
        if count > 3:
            x = x + 1
        return self.linear(x)
"""
TRAIN = """\
import sys
import torch
from net import Net
from torch.export import Dim

width = int(sys.argv[1])
torch.export.export(Net(width), (torch.randn(5, width), 4), dynamic_shapes=({0: Dim("rows", max=64)}, None))
open("behind", "w")
"""


# The program is run once, in one process.
pytestmark = pytest.mark.xdist_group("recorded")


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A project whose program was run once under the watch, and the cache folder that knows of it."""
    folder, cache = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("cache")
    (folder / "pyproject.toml").write_text("")
    (folder / "net.py").write_text(NET)
    (folder / "train.py").write_text(TRAIN)
    command = [sys.executable, "-m", "exportdb_lsp", "run", "train.py", "7"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (folder / "behind").unlink()
    return folder, cache


@pytest.fixture
def project(watched: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, with a copy of the cache folder."""
    folder, cache = watched
    monkeypatch.setenv("XDG_CACHE_HOME", str(shutil.copytree(cache, tmp_path / "cache")))
    return folder


def test_a_call_is_known_until_the_parameters_change(project: Path) -> None:
    (call,) = recorded.of_file(str(project / "net.py"), NET)
    assert (call.entry, call.row, call.arguments) == ("Net", 7, ("7",))
    assert call.declared.args == (TensorInput("float32", (5, 7)), PlainInput(4))
    assert call.declared.dynamic == (DynamicSize(("x",), 0, "named", "rows", 0, 64),)
    assert recorded.of_file(str(project / "net.py"), NET.replace("x + 1", "x * 2")) == (call,)
    assert recorded.of_file(str(project / "net.py"), NET.replace("count):", "count, mask):")) == ()


def test_check_takes_the_inputs_of_the_call(project: Path) -> None:
    settings = Plan({}).engine_settings(project)
    assert [declared.entry for declared in settings.declared] == ["Net"]
    assert Plan({}, recorded=False).engine_settings(project).declared == ()


def test_export_runs_the_program_up_to_its_call(project: Path, confirmer: Confirmer) -> None:
    request = ExportRequest(str(project / "net.py"), root=project, modes=(Mode.NON_STRICT,), draft=False)
    (result,) = confirmer.run(request)
    assert result.inputs is not None
    assert (result.target, result.outcome, result.inputs.source) == ("Net", Outcome.OK, InputOrigin.RECORDED)
    assert result.inputs.args == "(torch.randn(5, 7), 4)"
    assert result.call == f"{project / 'train.py'}:7"
    assert not (project / "behind").exists()


def test_a_recording_that_is_damaged_is_none(project: Path) -> None:
    (path,) = recorded.folder().iterdir()
    good = json.loads(path.read_text())
    for bad in ("", "[]", '{"format": 1, "calls": [1, {}]}', json.dumps({**good, "format": 99})):
        path.write_text(bad)
        assert recorded.of_file(str(project / "net.py"), NET) == ()
        assert recorded.declared(project) == ()
    assert recorded.declared(project) == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")
@pytest.mark.parametrize("kind", ["pipe", "endless", "deep", "long number"])
def test_a_recording_that_is_none_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(recorded, "folder", lambda: tmp_path)
    source = tmp_path / "net.py"
    place = tmp_path / (hashlib.sha256(str(source).encode()).hexdigest()[:32] + ".json")
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "endless":
        place.symlink_to("/dev/zero")
    else:
        place.write_text("[" * 100_000 if kind == "deep" else "9" * 10_000)
    assert recorded.of_file(str(source), NET) == ()
    assert recorded.declared(tmp_path) == ()
