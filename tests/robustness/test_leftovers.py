"""What killed processes leave is taken away when the next one starts, and nothing else is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from exportdb_lsp import leftovers
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.worker.processes import descendants
from exportdb_rules.finding import Mode

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")

# Starts a process that nobody waits for, writes a temporary file, says both, and does what is put in.
LEAVING = """
import os, subprocess, sys, tempfile, time
import torch

# exportdb: args=(torch.randn(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
        daemon = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL)
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(b"kept")
        with open({said!r} + ".new", "w") as said:
            print(os.getppid(), daemon.pid, file.name, sep="\\n", file=said)
        os.rename({said!r} + ".new", {said!r})
        {then}
        return x
"""


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def ours(folder: Path) -> list[Path]:
    """What this program has there; the cache of torch's compiler, which a worker begins as any torch does, stays."""
    return [path for path in folder.iterdir() if not path.name.startswith("torchinductor_")]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, of this process and of those that it starts."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def written(tmp_path: Path, then: str) -> tuple[Path, Path]:
    said, model = tmp_path / "said", tmp_path / "net.py"
    model.write_text(LEAVING.format(said=str(said), then=then))
    return model, said


def test_what_a_killed_program_and_its_killed_worker_left_is_gone_at_the_next_start(tmp_path: Path, temporary: Path):
    model, said = written(tmp_path, "time.sleep(600)")
    command = [sys.executable, "-m", "exportdb_lsp", "export", str(model), "--mode", "non-strict"]
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until(said.exists)
    worker, daemon, file = said.read_text().split()
    assert Path(file).is_relative_to(temporary)
    # The program first, which would clear up after its worker; the worker does so after its program.
    os.kill(program.pid, signal.SIGSTOP)
    below = descendants(program.pid)
    os.kill(int(worker), signal.SIGKILL)
    program.kill()
    program.wait()
    until(lambda: not any(alive(pid) for pid in below - {int(daemon)}))
    assert Path(file).read_text() == "kept"
    assert alive(int(daemon))

    (left,) = leftovers.sweep_now()
    assert Path(file).is_relative_to(left)
    until(lambda: not alive(int(daemon)))
    assert ours(temporary) == []


def test_a_new_worker_sweeps(tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch):
    dead = leftovers.TemporaryFolder()
    marker = Path(dead.path, leftovers.MARKER)
    marker.write_text(json.dumps({**json.loads(marker.read_text()), "start": "long ago"}))
    confirmer = Confirmer()
    try:
        confirmer.worker(sys.executable)
        until(lambda: not Path(dead.path).exists())
    finally:
        confirmer.close()
    assert ours(temporary) == []


@pytest.mark.parametrize(
    "then", ["os.kill(os.getppid(), 9); time.sleep(600)", "pass"], ids=["worker killed", "all well"]
)
def test_a_worker_leaves_nothing_however_it_ends(tmp_path: Path, temporary: Path, then: str):
    model, said = written(tmp_path, then)
    confirmer = Confirmer()
    try:
        request = ExportRequest(str(model), modes=(Mode.NON_STRICT,), root=tmp_path, draft=False)
        (result,) = confirmer.run(request)
    finally:
        confirmer.close()
    assert result.outcome is Outcome.CRASH or then == "pass"
    _, daemon, file = said.read_text().split()
    assert Path(file).is_relative_to(temporary)
    until(lambda: not alive(int(daemon)))
    assert ours(temporary) == []


def test_a_worker_whose_program_is_killed_leaves_nothing(tmp_path: Path, temporary: Path):
    model, said = written(tmp_path, "time.sleep(600)")
    command = [sys.executable, "-m", "exportdb_lsp", "export", str(model), "--mode", "non-strict"]
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until(said.exists)
    worker, daemon, _ = said.read_text().split()
    program.kill()
    program.wait()
    until(lambda: not alive(int(worker)) and not alive(int(daemon)) and not ours(temporary))


NOT_OURS = {
    "alive": {},
    "another system": {"boot": "x", "machine": "y"},
    "another container": {"processes": "pid:[1]", "start": "long ago"},
    "no number": {"pid": "1; rm", "start": "long ago"},
    "no process": {"pid": -1, "start": "long ago"},
}


@pytest.mark.parametrize("kind", [*NOT_OURS, "no marker", "a list", "a pipe", "a link", "another user", "another name"])
def test_what_may_be_somebody_elses_stays(tmp_path: Path, temporary: Path, kind: str):
    folder = leftovers.TemporaryFolder()
    marker = Path(folder.path, leftovers.MARKER)
    owner = json.loads(marker.read_text())
    dead = {**owner, "start": "long ago"}
    marker.write_text(json.dumps({**owner, **NOT_OURS[kind]} if kind in NOT_OURS else dead))
    kept = Path(folder.path)
    if kind in ("no marker", "a pipe"):
        marker.unlink()
    if kind == "a pipe":
        os.mkfifo(marker)
    elif kind == "a list":
        marker.write_text("[1]")
    elif kind == "a link":
        kept = kept.rename(tmp_path / "elsewhere")
        Path(folder.path).symlink_to(kept)
    elif kind == "another user":
        if os.getuid() != 0:
            pytest.skip("only root gives folders away")
        os.chown(folder.path, 12345, -1)
    elif kind == "another name":
        kept = kept.rename(temporary / "mine")
    assert leftovers.sweep_now() == []
    assert kept.exists()


@pytest.mark.parametrize("kind", ["process", "system"])
def test_what_a_dead_process_of_this_machine_left_goes(temporary: Path, kind: str):
    folder = leftovers.TemporaryFolder()
    marker = Path(folder.path, leftovers.MARKER)
    other = {"start": "long ago"} if kind == "process" else {"boot": "the last one"}
    marker.write_text(json.dumps({**json.loads(marker.read_text()), **other}))
    (Path(folder.path) / "link").symlink_to("/")
    assert leftovers.sweep_now() == [folder.path]
    assert ours(temporary) == []
