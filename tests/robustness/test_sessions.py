"""Sessions under load: whatever the analyser is busy with, they end when they are ended, and one file does not keep the
marks of another back. Memory stays what it was however often files are opened, edited and closed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from exportdb_lsp.lsp.analysis import AnalysisThreads, Superseded
from exportdb_lsp.lsp.documents import Documents, Snapshot
from exportdb_lsp.worker.processes import descendants
from exportdb_rules import engine
from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 60
# A server whose analyser says on standard error that it has begun, and comes to no end.
BUSY = """
import sys
from exportdb_rules import engine

def check(*arguments, **named):
    print("busy", file=sys.stderr, flush=True)
    while True:
        pass

engine.check = check
from exportdb_lsp.cli.serve import serve_stdio

serve_stdio()
"""
# A model that says which processes it has, those that it starts among them, and comes to no end.
ENDLESS = """
import os, subprocess, tempfile, time
import torch


# exportdb: args=(torch.randn(2, 3),)
class Endless(torch.nn.Module):
    def forward(self, x):
        below = [subprocess.Popen(["sleep", "600"]), subprocess.Popen(["sleep", "600"], start_new_session=True)]
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(b"kept")
        with open({said!r} + ".new", "w") as said:
            print(os.getpid(), os.getppid(), *[one.pid for one in below], file=said)
        os.rename({said!r} + ".new", {said!r})
        time.sleep(600)
        return x
"""
NET = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        if x.sum() > {0}:\n            return x + 1\n        return x\n"


class Session:
    """The program, spoken to over its standard streams."""

    def __init__(self, *command: str, parent: int | None = None, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        self.number = 0
        self.ask("initialize", processId=parent, rootUri=None, capabilities={"textDocument": {"diagnostic": {}}})
        self.send(method="initialized", params={})

    def send(self, **message: Any) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> Any:
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        assert self.process.stdout is not None
        while True:
            length = 0
            while (header := self.process.stdout.readline()).strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            assert length, "the server has ended"
            message = json.loads(self.process.stdout.read(length))
            if message.get("id") == self.number and "method" not in message:
                return message.get("result")

    def open(self, uri: str, text: str) -> None:
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})

    def edit(self, uri: str, version: int, text: str) -> None:
        document = {"uri": uri, "version": version}
        self.send(
            method="textDocument/didChange", params={"textDocument": document, "contentChanges": [{"text": text}]}
        )

    def pull(self, uri: str) -> Any:
        return self.ask("textDocument/diagnostic", textDocument={"uri": uri})["items"]

    def close(self, uri: str) -> None:
        self.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})

    def until_busy(self) -> None:
        """Have the analyser begin with something."""
        self.open("file:///busy.py", NET.format(0))
        params = {"textDocument": {"uri": "file:///busy.py"}}
        self.send(id="never", method="textDocument/diagnostic", params=params)
        assert self.process.stderr is not None
        while b"busy" not in (line := self.process.stderr.readline()):
            assert line, "the server has ended"

    def memory(self) -> int:
        """What the process has allocated and uses, in bytes; pages of files come and go with what the machine does."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return 1024 * int(next(line for line in status.splitlines() if line.startswith("RssAnon")).split()[1])

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def parent() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield process
    process.kill()
    process.wait()


def end_of_input(session: Session, _: subprocess.Popen[bytes]) -> None:
    assert session.process.stdin is not None
    session.process.stdin.close()


def shutdown_and_exit(session: Session, _: subprocess.Popen[bytes]) -> None:
    assert session.ask("shutdown") is None
    session.send(method="exit")


def exit_alone(session: Session, _: subprocess.Popen[bytes]) -> None:
    session.send(method="exit")


def parent_gone(_: Session, parent: subprocess.Popen[bytes]) -> None:
    parent.kill()
    parent.wait()


@pytest.mark.parametrize(
    ("end", "status"), [(end_of_input, 1), (shutdown_and_exit, 0), (exit_alone, 1), (parent_gone, 1)]
)
def test_a_session_ends_while_the_analyser_is_busy(
    end: Callable[[Session, subprocess.Popen[bytes]], None], status: int, parent: subprocess.Popen[bytes]
) -> None:
    session = Session("-c", BUSY, parent=parent.pid)
    try:
        session.until_busy()
        end(session, parent)
        assert session.process.wait(PATIENCE) == status
    finally:
        session.stop()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_session_ends_by_a_signal_while_the_analyser_is_busy() -> None:
    session = Session("-c", BUSY)
    try:
        session.until_busy()
        session.process.send_signal(signal.SIGTERM)
        session.process.wait(PATIENCE)
    finally:
        session.stop()


def terminated(session: Session, _: subprocess.Popen[bytes]) -> None:
    session.process.send_signal(signal.SIGTERM)


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return False


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
@pytest.mark.parametrize("end", [end_of_input, shutdown_and_exit, exit_alone, parent_gone, terminated])
def test_a_session_that_ends_while_a_model_is_exported_leaves_nothing(
    end: Callable[[Session, subprocess.Popen[bytes]], None], parent: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    temporary, said = tmp_path / "temporary", tmp_path / "said"
    temporary.mkdir()
    uri = (tmp_path / "endless.py").as_uri()
    session = Session("-m", "exportdb_lsp", "--stdio", parent=parent.pid, environment={"TMPDIR": str(temporary)})
    try:
        session.open(uri, ENDLESS.format(said=str(said)))
        command = {"command": "exportdb.export", "arguments": [{"uri": uri, "modes": ["non-strict"]}]}
        session.send(id="never", method="workspace/executeCommand", params=command)
        until(said.exists)
        running = {*map(int, said.read_text("ascii").split()), *descendants(session.process.pid)}
        assert len(running) >= 4
        assert all(map(alive, running))
        end(session, parent)
        session.process.wait(PATIENCE)
        until(lambda: not any(map(alive, running)))
        # The cache of torch's compiler, which a worker begins as any torch does, stays.
        until(lambda: all(one.name.startswith("torchinductor_") for one in temporary.iterdir()))
    finally:
        session.stop()


def snapshot(root: Path, name: str, version: int = 1) -> Snapshot:
    documents = Documents(base=root)
    documents.open(types.TextDocumentItem((root / name).as_uri(), "python", version, NET.format(0)))
    found = documents.snapshot((root / name).as_uri())
    assert found is not None
    return found


@pytest.mark.asyncio
async def test_a_file_that_takes_long_keeps_no_other_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, answered = threading.Event(), threading.Event()
    check = engine.check

    def slow(project: engine.Project, filename: str, *arguments: Any, between: Any = None, **named: Any) -> Any:
        while Path(filename).name == "long.py" and not answered.wait(0.01):
            begun.set()
            between()
        return check(project, filename, *arguments, between=between, **named)

    monkeypatch.setattr(engine, "check", slow)
    analyst = AnalysisThreads()
    long, short = snapshot(tmp_path, "long.py"), snapshot(tmp_path, "short.py")
    analyst.set_text(tmp_path, long)
    analyst.set_text(tmp_path, short)
    settings = engine.Settings()
    waiting = asyncio.ensure_future(analyst.report(tmp_path, long.filename, 1, settings))
    await asyncio.to_thread(begun.wait, PATIENCE)
    report = await asyncio.wait_for(analyst.report(tmp_path, short.filename, 1, settings), PATIENCE)
    assert report.findings
    assert not waiting.done()
    answered.set()
    assert (await asyncio.wait_for(waiting, PATIENCE)).findings
    # A newer text ends what is still being done about an older one, on whichever thread that is.
    answered.clear()
    analyst.set_text(tmp_path, snapshot(tmp_path, "long.py", 2))
    waiting = asyncio.ensure_future(analyst.report(tmp_path, long.filename, 2, settings))
    await asyncio.sleep(0)
    analyst.set_text(tmp_path, snapshot(tmp_path, "long.py", 3))
    with pytest.raises(Superseded):
        await asyncio.wait_for(waiting, PATIENCE)
    answered.set()
    analyst.close()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_memory_is_bounded_over_rounds_of_opening_editing_and_closing(tmp_path: Path) -> None:
    session = Session("-m", "exportdb_lsp", "--stdio")
    large = "".join(NET.format(number).replace("Net", f"Net{number}") for number in range(60))

    def opened(rounds: range) -> None:
        for number in rounds:
            uri = (tmp_path / f"file{number % 20 if number % 10 else number}.py").as_uri()
            session.open(uri, large if number % 20 == 0 else NET.format(number))
            assert session.pull(uri)
            session.close(uri)

    def edited(rounds: range) -> None:
        uri = (tmp_path / "edited.py").as_uri()
        for number in rounds:
            session.edit(uri, number + 2, NET.format(number) + NET.format(1).replace("Net", f"Net{number}"))
            assert session.pull(uri)

    try:
        session.open((tmp_path / "edited.py").as_uri(), NET.format(0))
        opened(range(400))
        edited(range(400))
        young = session.memory()
        opened(range(400, 2000))
        edited(range(400, 2000))
        assert session.memory() < young + 40_000_000
    finally:
        session.stop()


def test_what_is_pushed_after_an_edit_is_what_rests_on_it(tmp_path: Path) -> None:
    """Not everything that is open: that would make the work of opening files grow with its square."""
    analyst = AnalysisThreads()

    async def reports() -> None:
        (tmp_path / "helper.py").write_text("def half(x):\n    return x / 2\n", "utf-8")
        names = [f"file{number}.py" for number in range(5)]
        for name in names:
            found = snapshot(tmp_path, name)
            analyst.set_text(tmp_path, found)
            await analyst.report(tmp_path, found.filename, 1, engine.Settings())
        documents = Documents(base=tmp_path)
        text = "from helper import half\n" + NET.format(0).replace("x + 1", "half(x)")
        documents.open(types.TextDocumentItem((tmp_path / "user.py").as_uri(), "python", 1, text))
        user = documents.snapshot((tmp_path / "user.py").as_uri())
        assert user is not None
        analyst.set_text(tmp_path, user)
        await analyst.report(tmp_path, user.filename, 1, engine.Settings())
        await asyncio.sleep(0)
        assert analyst.related(str(tmp_path / "helper.py")) == {user.filename}
        assert analyst.related(user.filename) == {str(tmp_path / "helper.py")}
        assert analyst.related(str(tmp_path / "file0.py")) == set()
        analyst.drop_text(user.filename)
        assert analyst.related(str(tmp_path / "helper.py")) == set()

    asyncio.run(reports())
    analyst.close()
