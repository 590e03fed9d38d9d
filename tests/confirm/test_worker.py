"""The worker: its walls, its wire, and the way without fork."""

from __future__ import annotations

import ast
import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from exportdb_lsp import worker
from exportdb_lsp.confirm.confirmer import Confirmer, RequestError
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.confirm.worker_process import environment
from exportdb_lsp.measure import probe
from exportdb_lsp.worker import supervise
from exportdb_lsp.worker.wire import (
    MARK_BYTES,
    PREAMBLE,
    SECRET_BYTES,
    Channel,
    Preamble,
    Recoverer,
    Reporter,
    Unpacker,
    pack,
)
from exportdb_rules.finding import Mode

from ..lent_workers import LentConfirmer

FILES = [path for package in (worker, probe) for path in sorted(Path(package.__file__ or "").parent.glob("*.py"))]
GOOD = """
import torch

# exportdb: args=(torch.randn(2, 3),)
class Good(torch.nn.Module):
    def forward(self, x):
        return x + 1
"""
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere every export has a fresh process")
SLOW = GOOD.replace("return x + 1", "import time; time.sleep(600)")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_runs_in_the_users_interpreter_is_written_in_the_oldest_python_that_has_a_supported_torch(path: Path):
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
    zips = [
        n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "zip"
    ]
    assert not [keyword for call in zips for keyword in call.keywords], "zip has no strict in Python 3.9"


def test_messages_come_whole_out_of_pieces():
    data = pack({"a": 1}) + pack({"b": "é" * 1000})
    unpacker = Unpacker()
    messages = [message for i in range(0, len(data), 7) for message in unpacker.feed(data[i : i + 7])]
    assert messages == [{"a": 1}, {"b": "é" * 1000}]


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_what_an_interpreter_prints_first_is_passed_over(size: int):
    data = b"Welcome!\n" + PREAMBLE[:-3] + PREAMBLE + pack({"a": 1}) + PREAMBLE + pack({"b": 2})
    preamble = Preamble()
    taken = b"".join(preamble.feed(data[i : i + size]) for i in range(0, len(data), size))
    assert taken == pack({"a": 1}) + PREAMBLE + pack({"b": 2})


def test_an_interpreter_that_greets_can_be_exported_in(tmp_path: Path):
    greeting = tmp_path / "python"
    greeting.write_text(f'#!/bin/sh\necho "Welcome!"\nexec {sys.executable} "$@"\n')
    greeting.chmod(0o755)
    confirmer = Confirmer()
    try:
        request = ExportRequest(
            str(tmp_path / "net.py"),
            GOOD,
            modes=(Mode.NON_STRICT,),
            root=tmp_path,
            interpreter=str(greeting),
            draft=False,
        )
        (result,) = confirmer.run(request)
    finally:
        confirmer.close()
    assert result.outcome is Outcome.OK, result


@linux
def test_where_no_process_can_be_had_it_is_said_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def none_left() -> int:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    (requests, _), (received, answers) = os.pipe(), os.pipe()
    supervisor = supervise.Supervisor(Channel(requests, answers), fork=True)
    monkeypatch.setattr(os, "fork", none_left)
    before = set(os.listdir("/proc/self/fd"))
    for number in (1, 2):
        supervisor.run({"id": number, "timeout": 1, "memory_limit": 1 << 30})
    assert set(os.listdir("/proc/self/fd")) == before
    messages = list(Unpacker().feed(os.read(received, 1 << 16)))
    assert [(message["kind"], message["id"]) for message in messages] == [
        ("part", 1),
        ("ended", 1),
        ("part", 2),
        ("ended", 2),
    ]
    assert messages[0]["part"] == {
        "part": "internal",
        "message": "cannot start a worker process: Resource temporarily unavailable",
    }


@linux
def test_a_child_whose_server_went_away_is_ended_with_all_below_it(monkeypatch: pytest.MonkeyPatch):
    left: list[object] = []

    class Started:
        pid = 4711

        def __init__(self, *_: object) -> None: ...

        def close(self) -> None:
            left.append("closed")

    monkeypatch.setattr(supervise, "Child", Started)
    monkeypatch.setattr(supervise.processes, "end_tree", left.append)
    (requests, _), (received, answers) = os.pipe(), os.pipe()
    os.close(received)
    with pytest.raises(BrokenPipeError):
        supervise.Supervisor(Channel(requests, answers), fork=False).run({"id": 1})
    assert left == [4711, "closed"]


def test_reports_are_found_between_rubbish_and_after_a_closed_descriptor(tmp_path: Path):
    secret = os.urandom(SECRET_BYTES)
    mark = secret[:MARK_BYTES]
    reader, writer = os.pipe()
    reporter = Reporter(writer, secret, str(tmp_path / "fallback"))
    os.write(writer, b"rubbish" + mark + b"\0\0\0\5rubbish that looks like a beginning")
    reporter.send({"n": 1})
    os.write(writer, b"rubbish")
    reporter.send({"n": 2})
    os.close(writer)
    reporter.send({"n": 3})
    received = os.read(reader, 1 << 16)
    os.close(reader)
    recoverer = Recoverer(secret)
    messages = [m for i in range(0, len(received), 5) for m in recoverer.feed(received[i : i + 5])]
    messages += recoverer.feed((tmp_path / "fallback").read_bytes())
    assert [m["n"] for m in messages] == [1, 2, 3]


def test_secrets_of_the_environment_stay_here():
    given = {
        "PATH": "/bin",
        "HF_HOME": "/hf",
        "HF_TOKEN": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "PYTHONPATH": "/p",
        "FOO": "1",
    }
    assert environment(given) == {"PATH": "/bin", "HF_HOME": "/hf", "PYTHONPATH": "/p"}


def test_a_fresh_process_per_export_gives_the_same(tmp_path: Path):
    confirmer = Confirmer(fresh=True)
    try:
        request = ExportRequest(
            str(tmp_path / "net.py"), GOOD, modes=(Mode.NON_STRICT,), root=tmp_path, show_graph=True, draft=False
        )
        (result,) = confirmer.run(request)
        assert result.outcome is Outcome.OK, result
        assert not confirmer.worker(request.interpreter).ready.fork
        slow = ExportRequest(str(tmp_path / "net.py"), SLOW, modes=(Mode.NON_STRICT,), root=tmp_path, timeout=8)
        (late,) = confirmer.run(slow)
        assert late.outcome is Outcome.TIMEOUT
    finally:
        confirmer.close()


@pytest.mark.skipif(os.name == "nt", reason="there is no niceness")
@pytest.mark.usefixtures("returned_workers")
def test_an_export_beside_an_editor_gives_way(tmp_path: Path):
    niceness = tmp_path / "niceness"
    text = GOOD + f"\nimport os\nwith open({str(niceness)!r}, 'w') as file:\n    file.write(str(os.nice(0)))\n"
    for low_priority in (False, True):
        confirmer = LentConfirmer(low_priority=low_priority)
        try:
            request = ExportRequest(str(tmp_path / "net.py"), text, modes=(Mode.NON_STRICT,), root=tmp_path)
            (result,) = confirmer.run(request)
        finally:
            confirmer.close()
        assert result.outcome is Outcome.OK, result
        assert (int(niceness.read_text()) > os.nice(0)) is low_priority


def test_a_set_event_ends_the_export(confirmer: Confirmer, tmp_path: Path):
    cancelled = threading.Event()
    request = ExportRequest(str(tmp_path / "net.py"), SLOW, modes=(Mode.NON_STRICT,), root=tmp_path)
    threading.Timer(0.5, cancelled.set).start()
    (result,) = confirmer.run(request, cancelled=cancelled)
    assert (result.outcome, result.exception) == (Outcome.CRASH, "Cancelled")


def test_the_same_request_from_two_threads_is_worked_on_once(confirmer: Confirmer, tmp_path: Path):
    marker = tmp_path / "marks"
    text = GOOD + f"\nwith open({str(marker)!r}, 'a') as file:\n    file.write('x')\nimport time; time.sleep(1)\n"
    request = ExportRequest(str(tmp_path / "net.py"), text, modes=(Mode.NON_STRICT,), root=tmp_path)
    results: list[object] = []
    threads = [threading.Thread(target=lambda: results.append(confirmer.run(request))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0] is results[1]
    assert marker.read_text() == "x"


def test_who_still_wants_an_answer_gets_one_when_somebody_else_with_the_same_request_gave_up(
    confirmer: Confirmer, tmp_path: Path
):
    began = tmp_path / "began"
    text = GOOD + f"\nopen({str(began)!r}, 'w').close()\nimport time; time.sleep(3)\n"
    request = ExportRequest(str(tmp_path / "net.py"), text, modes=(Mode.NON_STRICT,), root=tmp_path)
    impatient = threading.Event()
    results: dict[str, object] = {}

    def ask(name: str, cancelled: threading.Event | None) -> None:
        (results[name],) = confirmer.run(request, cancelled=cancelled)

    first = threading.Thread(target=ask, args=("impatient", impatient))
    first.start()
    until = time.monotonic() + 60
    while not began.exists() and time.monotonic() < until:
        time.sleep(0.01)
    second = threading.Thread(target=ask, args=("patient", None))
    second.start()
    time.sleep(0.2)
    impatient.set()
    for thread in (first, second):
        thread.join()
    assert (results["impatient"].exception, results["patient"].outcome) == ("Cancelled", Outcome.OK)  # type: ignore[attr-defined]


def test_who_gives_up_does_not_wait_for_who_is_before_him(confirmer: Confirmer, tmp_path: Path):
    began, ended = tmp_path / "began", threading.Event()
    text = SLOW + f"\nopen({str(began)!r}, 'w').close()\n"
    slow = ExportRequest(str(tmp_path / "slow.py"), text, modes=(Mode.NON_STRICT,), root=tmp_path)
    first = threading.Thread(target=lambda: confirmer.run(slow, cancelled=ended))
    first.start()
    until = time.monotonic() + 60
    while not began.exists() and time.monotonic() < until:
        time.sleep(0.01)
    given_up = threading.Event()
    given_up.set()
    other = ExportRequest(str(tmp_path / "net.py"), GOOD, modes=(Mode.NON_STRICT,), root=tmp_path)
    results = [confirmer.run(request, cancelled=given_up)[0] for request in (slow, other)]
    assert first.is_alive()
    ended.set()
    first.join()
    assert [result.exception for result in results] == ["Cancelled"] * 2


@linux
def test_a_worker_that_is_started_when_all_is_closed_does_not_stay(tmp_path: Path):
    interpreter, started = tmp_path / "python", tmp_path / "started"
    interpreter.write_text(f'#!/bin/sh\necho $$ > "{started}"\nsleep 600\n')
    interpreter.chmod(0o755)
    confirmer = Confirmer()
    request = ExportRequest(
        str(tmp_path / "net.py"), GOOD, modes=(Mode.NON_STRICT,), root=tmp_path, interpreter=str(interpreter)
    )
    results: list[object] = []
    thread = threading.Thread(target=lambda: results.extend(confirmer.run(request)))
    thread.start()
    until = time.monotonic() + 60
    while not (started.exists() and started.read_text().strip()) and time.monotonic() < until:
        time.sleep(0.01)
    confirmer.close()
    thread.join()
    assert [result.exception for result in results] == ["Cancelled"]  # type: ignore[attr-defined]
    assert gone(int(started.read_text()))
    assert [result.exception for result in confirmer.run(request)] == ["Cancelled"]


def test_the_queue_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("exportdb_lsp.confirm.confirmer.LONGEST_QUEUE", 2)
    confirmer = Confirmer()
    began, release = threading.Event(), threading.Event()

    def hold(*_: object) -> tuple[object, ...]:
        began.set()
        assert release.wait(30)
        return ()

    monkeypatch.setattr(confirmer, "_run", hold)
    requests = [ExportRequest(str(tmp_path / f"net{number}.py"), GOOD, root=tmp_path) for number in range(3)]
    threads = [threading.Thread(target=confirmer.run, args=(request,)) for request in requests[:2]]
    for thread in threads:
        began.clear()
        thread.start()
        assert began.wait(30)
    with pytest.raises(RequestError, match=r"Export queue is full \(2 pending\)"):
        confirmer.run(requests[2])
    release.set()
    for thread in threads:
        thread.join()
    # There is room again.
    assert confirmer.run(requests[2]) == ()


def test_an_interpreter_that_does_not_exist_is_refused(confirmer: Confirmer, tmp_path: Path):
    request = ExportRequest(str(tmp_path / "net.py"), GOOD, root=tmp_path, interpreter="/nowhere/python")
    with pytest.raises(RequestError, match="/nowhere/python cannot be started"):
        confirmer.run(request)


def spare_of(confirmer: Confirmer, request: ExportRequest) -> int:
    """The process that waits for the next job: it is told of a moment after a job."""
    worker = confirmer.worker(request.interpreter)
    until = time.monotonic() + 30
    while (worker.spare is None or not alive(worker.spare)) and time.monotonic() < until:
        time.sleep(0.01)
    assert worker.spare is not None
    return worker.spare


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def gone(pid: int) -> bool:
    until = time.monotonic() + 30
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(pid)


@pytest.fixture
def telling(tmp_path: Path) -> Callable[[], ExportRequest]:
    """A request for a model that writes down which process it is in."""
    text = GOOD + f"\nimport os\nwith open({str(tmp_path / 'pid')!r}, 'w') as file:\n    file.write(str(os.getpid()))\n"
    return lambda: ExportRequest(str(tmp_path / "net.py"), text, modes=(Mode.NON_STRICT,), root=tmp_path, draft=False)


@linux
@pytest.mark.usefixtures("returned_workers")
def test_the_next_export_finds_a_process_that_waits_for_it(telling: Callable[[], ExportRequest], tmp_path: Path):
    confirmer = LentConfirmer(low_priority=True)
    try:
        (first,) = confirmer.run(telling())
        assert gone(int((tmp_path / "pid").read_text()))
        spare = spare_of(confirmer, telling())
        time.sleep(2)  # enough for a warmup
        assert os.getsid(spare) == spare
        (second,) = confirmer.run(telling())
        assert (tmp_path / "pid").read_text() == str(spare)
        assert replace(first, seconds=0) == replace(second, seconds=0)
        assert gone(spare)
        assert spare_of(confirmer, telling()) != spare
    finally:
        confirmer.close()


@linux
def test_a_process_that_does_not_live_to_its_job_is_replaced(
    telling: Callable[[], ExportRequest], tmp_path: Path, confirmer: Confirmer
):
    confirmer.run(telling())
    spare = spare_of(confirmer, telling())
    os.kill(spare, signal.SIGKILL)
    assert gone(spare)
    (result,) = confirmer.run(telling())
    assert result.outcome is Outcome.OK, result
    assert (tmp_path / "pid").read_text() != str(spare)


@linux
@pytest.mark.parametrize("end", ["closed", "killed"])
def test_a_process_that_waits_goes_with_its_worker(telling: Callable[[], ExportRequest], end: str):
    confirmer = Confirmer()
    try:
        confirmer.run(telling())
        spare = spare_of(confirmer, telling())
        if end == "killed":
            os.kill(confirmer.worker(telling().interpreter).pid, signal.SIGKILL)
            assert gone(spare)
    finally:
        confirmer.close()
    assert gone(spare)


REHEARSING = """
import importlib, sys
from importlib import import_module

start = import_module("exportdb_lsp.worker.__main__")
start._become_package(sys.argv[1])
warmup = import_module(start.PACKAGE + ".warmup")

class Listener:
    def send(self, message):
        if message["part"] in ("compared", "judged", "difference", "failure"):
            print(message["part"])

for mode in ("non-strict", "strict"):
    warmup.run_warmup(mode, Listener())
"""


def test_a_rehearsal_comes_to_its_end_in_both_modes():
    """One that fails is passed over in silence, and every export would be as slow as the first."""
    command = [sys.executable, "-c", REHEARSING, str(Path(worker.__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.split() == ["compared", "judged"] * 2
