"""The program itself, spoken to in bytes: what is no message, what comes at the wrong time, and how it ends."""

import contextlib
import itertools
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from exportdb_lsp.lsp import transport
from lsprotocol.types import METHOD_TO_TYPES

PATIENCE = 60


class Program:
    """`exportdb-lsp --stdio` as a process."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "exportdb_lsp", *(arguments or ("--stdio",))]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.passed: list[Any] = []

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def body(self, body: bytes) -> None:
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def send(self, **message: Any) -> None:
        self.body(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def receive(self) -> Any:
        assert self.process.stdout is not None
        length = 0
        while True:
            line = self.process.stdout.readline()
            assert line, "the server is gone"
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif line == b"\r\n":
                return json.loads(self.process.stdout.read(length))

    def answer(self, number: Any) -> Any:
        while True:
            message = self.receive()
            if "method" not in message and message.get("id") == number:
                return message
            self.passed.append(message)

    def ask(self, number: Any, method: str, **params: Any) -> Any:
        self.send(id=number, method=method, params=params)
        return self.answer(number)

    def initialize(self, **params: Any) -> Any:
        answer = self.ask("init", "initialize", processId=None, rootUri=None, capabilities={}, **params)
        self.send(method="initialized", params={})
        return answer

    def open(self, uri: str, text: str) -> None:
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})

    def pull(self, number: Any, uri: str) -> Any:
        return self.ask(number, "textDocument/diagnostic", textDocument={"uri": uri})

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def end(self) -> int:
        self.send(id="bye", method="shutdown")
        assert self.answer("bye")["result"] is None
        self.send(method="exit")
        return self.process.wait(PATIENCE)


@pytest.fixture
def program() -> Iterator[Program]:
    started = Program()
    yield started
    started.stop()


def test_it_is_shut_down_with_zero(program: Program) -> None:
    assert program.initialize()["result"]["serverInfo"]["name"] == "exportdb-lsp"
    assert program.end() == 0


def test_an_exit_without_shutdown_is_one(program: Program) -> None:
    program.initialize()
    program.send(method="exit")
    assert program.process.wait(PATIENCE) == 1


def test_it_ends_with_its_input(program: Program) -> None:
    program.initialize()
    assert program.process.stdin is not None
    program.process.stdin.close()
    assert program.process.wait(PATIENCE) == 1


def test_requests_have_their_time(program: Program) -> None:
    assert program.pull(1, "file:///x.py")["error"]["code"] == -32002
    program.initialize()
    assert program.ask(2, "initialize", processId=None, rootUri=None, capabilities={})["error"]["code"] == -32600
    program.send(id=3, method="shutdown")
    assert program.answer(3)["result"] is None
    assert program.pull(4, "file:///x.py")["error"]["code"] == -32600
    program.send(method="exit")
    assert program.process.wait(PATIENCE) == 0


BRANCH = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1
"""


def test_what_is_no_message_is_refused_and_the_session_goes_on(program: Program) -> None:
    program.initialize()
    program.open("file:///net.py", BRANCH)
    refused = [
        (b"{", -32700, None),
        (b"[" * 100_000, -32700, None),
        (b"\xff\xfe\x00", -32700, None),
        (b"[]", -32600, None),
        (b'"text"', -32600, None),
        (b'{"jsonrpc": "1.0", "id": 5, "method": "shutdown"}', -32600, 5),
        (b'{"jsonrpc": "2.0", "id": 6}', -32600, 6),
        (b'{"jsonrpc": "2.0", "id": 7, "method": 1}', -32600, 7),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": 8, "method": "no/such"}', -32601, 8),
        (b'{"jsonrpc": "2.0", "id": 9, "method": "textDocument/hover", "params": {"textDocument": 3}}', -32602, 9),
        (b'{"jsonrpc": "2.0", "id": 10, "method": "textDocument/hover"}', -32602, 10),
        (
            b'{"jsonrpc": "2.0", "id": 11, "method": "textDocument/hover", "params": '
            b'{"textDocument": {"uri": "file:///net.py"}, "position": {"line": -1, "character": 0}}}',
            -32602,
            11,
        ),
    ]
    for body, code, number in refused:
        program.body(body)
        assert (program.answer(number)["error"]["code"], body[:40]) == (code, body[:40])
    # Nobody waits for an answer to these.
    program.send(method="no/such", params=[])
    program.send(method="textDocument/didChange", params={"nonsense": True})
    program.send(method="textDocument/didOpen", params={})
    program.send(method="$/unknown", params={})
    program.send(method="$/cancelRequest", params={"id": "never asked"})
    program.send(id="never asked", result=None)
    program.raw(b"noise\r\n\r\nContent-Type: x\r\n")
    items = program.pull("still there", "file:///net.py")["result"]["items"]
    assert [item["code"] for item in items] == ["EDB101"]
    assert not [m for m in program.passed if m.get("method") == "window/showMessage"]
    assert program.end() == 0


def test_what_is_wrong_is_logged_once(program: Program) -> None:
    program.initialize()
    for _ in range(3):
        program.body(b"{")
        program.send(method="textDocument/didClose", params={"textDocument": {"uri": "file:///never.py"}})
        for number in range(40):
            program.send(
                method="textDocument/didChange",
                params={
                    "textDocument": {"uri": f"file:///other{number}.py", "version": 2},
                    "contentChanges": [{"text": ""}],
                },
            )
    program.ask("last", "workspace/executeCommand", command="exportdb.status")
    logged = [m["params"]["message"] for m in program.passed if m.get("method") == "window/logMessage"]
    assert len(logged) == len(set(logged))
    assert len([line for line in logged if "not JSON" in line]) == 1
    assert [line for line in logged if "never.py" in line] == [
        "a document was closed that was never opened: file:///never.py"
    ]
    # Of a flood of one kind only the beginning.
    assert 1 <= len([line for line in logged if "an edit of a document that was never opened" in line]) <= 10
    assert program.end() == 0


def test_places_documents_and_texts_that_are_not_what_they_should_be(program: Program) -> None:
    program.initialize()
    at = {"line": 99999, "character": 99999}
    for number, uri in enumerate(
        ("file:///never/opened.py", "untitled:none", "http://x/y.py", "file:///a%00b.py", "?")
    ):
        assert program.pull(number, uri)["result"]["items"] == []
        for method in ("textDocument/hover", "textDocument/codeAction", "textDocument/codeLens"):
            context = {"range": {"start": at, "end": at}, "context": {"diagnostics": []}}
            asked = program.ask(f"{number}{method}", method, textDocument={"uri": uri}, position=at, **context)
            assert not asked["result"]
        program.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
        program.send(
            method="textDocument/didChange",
            params={"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "x"}]},
        )
    odd = {
        "file:///spaces%20and%C3%A4.py": BRANCH,
        "file:///with a space.py": BRANCH,
        "untitled:Untitled-1": BRANCH,
        "file:///mixed.py": BRANCH.replace("\n", "\r\n", 3).replace("        if", "\r        if"),
        "file:///surrogate.py": BRANCH.replace("x + 1", "x + 1  # \ud800"),
        "file:///long.py": BRANCH + "# " + "é😀" * 1_500_000,
        "file:///nulls.py": BRANCH + "\0",
        "file:///nonsense.py": "".join(chr(i) for i in range(0x2100) if not 0xD800 <= i < 0xE000),
    }
    for uri, text in odd.items():
        program.open(uri, text)
        program.send(
            method="textDocument/didChange",
            params={
                "textDocument": {"uri": uri, "version": 2},
                "contentChanges": [{"range": {"start": at, "end": at}, "text": "\n"}],
            },
        )
        answer = program.pull(uri, uri)
        items = answer["result"]["items"]
        if uri in ("file:///nulls.py", "file:///nonsense.py"):
            # Nothing that Python can read: one word about that, not loud, and nothing else.
            assert [(item.get("code"), item["severity"]) for item in items] == [(None, 3)], (uri, items)
        else:
            assert [item.get("code") for item in items] == ["EDB101"], uri
        program.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
    assert program.end() == 0


def test_it_ends_when_its_parent_dies() -> None:
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    program = Program()
    try:
        program.ask("init", "initialize", processId=parent.pid, rootUri=None, capabilities={})
        parent.kill()
        parent.wait()
        # Its input is still open: only the parent's end can be the reason.
        assert program.process.wait(PATIENCE) == 1
    finally:
        parent.kill()
        program.stop()


def test_what_the_server_prints_is_no_message(program: Program, tmp_path: Any) -> None:
    """Python prints warnings, libraries print anything: only whole messages may come out of standard output."""
    source = "import sys\nfrom exportdb_lsp.lsp.server import serve_stdio\n"
    source += "import exportdb_lsp.lsp.hover as hover\nhover.plain = lambda text: print('noise') or text\n"
    script = tmp_path / "server.py"
    script.write_text(source + "sys.exit(serve_stdio())\n")
    noisy = Program.__new__(Program)
    noisy.passed = []
    noisy.process = subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    noisy.initialize()
    noisy.open("file:///net.py", BRANCH)
    asked = noisy.ask(
        1, "textDocument/hover", textDocument={"uri": "file:///net.py"}, position={"line": 6, "character": 12}
    )
    assert "EDB101" in asked["result"]["contents"]["value"]
    noisy.send(id="bye", method="shutdown")
    noisy.answer("bye")
    noisy.send(method="exit")
    _, errors = noisy.process.communicate(timeout=PATIENCE)
    assert errors.strip() == b"noise"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_it_ends_on_a_signal_without_a_traceback(program: Program) -> None:
    program.initialize()
    program.process.send_signal(signal.SIGINT)
    _, errors = program.process.communicate(timeout=PATIENCE)
    assert b"Traceback" not in errors


def test_torch_is_never_imported_in_the_server(tmp_path: Any) -> None:
    script = tmp_path / "server.py"
    script.write_text(
        "import sys\nfrom exportdb_lsp.lsp.server import serve_stdio\ncode = serve_stdio()\n"
        "print('torch' in sys.modules, file=sys.stderr)\nsys.exit(code)\n"
    )
    program = Program.__new__(Program)
    program.passed = []
    program.process = subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    program.initialize()
    program.open("file:///net.py", BRANCH)
    assert program.pull(1, "file:///net.py")["result"]["items"]
    assert program.end() == 0
    _, errors = program.process.communicate()
    assert errors.split() == [b"False"]


def listening_on(program: Program) -> int:
    """The port that a program says that it listens on."""
    assert program.process.stderr is not None
    while True:
        line = program.process.stderr.readline()
        assert line, "the server is gone"
        found = re.search(rb"listening on 127\.0\.0\.1:(\d+)", line)
        if found:
            return int(found[1])


def whole_session(port: int, token: bytes) -> bytes:
    """What a client hears that sends everything at once."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        stream = connection.makefile("rwb")
        stream.write(token + b"\n")
        for body in (
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}',
            b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}',
            b'{"jsonrpc":"2.0","method":"exit"}',
        ):
            stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()
        return stream.read()


@pytest.mark.parametrize("given", ["option", "variable", "file"])
def test_a_socket_serves_one_client_that_knows_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    options: list[str] = []
    monkeypatch.delenv("EXPORTDB_LSP_TOKEN", raising=False)
    if given == "option":
        options = ["--token", "secret"]
    else:
        monkeypatch.setenv("EXPORTDB_LSP_TOKEN", "secret" if given == "variable" else "guess")
    if given == "file":
        (tmp_path / "token").write_text("secret\n")
        options = ["--token-file", str(tmp_path / "token")]
    program = Program("--tcp", "127.0.0.1:0", *options)
    try:
        port = listening_on(program)
        for guess in (b"guess\n", b"\n", b"x" * 10_000, b"Content-Length: 5\r\n"):
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as stranger:
                stranger.sendall(guess)
                with contextlib.suppress(ConnectionResetError):
                    assert stranger.recv(1) == b""
        assert b"exportdb-lsp" in whole_session(port, b"secret")
        assert program.process.wait(PATIENCE) == 0
    finally:
        program.stop()


def test_slow_clients_keep_nobody_waiting() -> None:
    """More of them than may wait at once, each in the middle of its line, and some that are gone."""
    program = Program("--tcp", "127.0.0.1:0", "--token", "secret")
    try:
        port = listening_on(program)
        with contextlib.ExitStack() as open_ones:
            slow = [open_ones.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE)) for _ in range(80)]
            for connection in slow:
                with contextlib.suppress(OSError):
                    connection.sendall(b"sec")
            for connection in slow[::7]:
                connection.close()
            assert b"exportdb-lsp" in whole_session(port, b"secret")
        assert program.process.wait(PATIENCE) == 0
    finally:
        program.stop()


def drips_until_closed(connection: socket.socket) -> bool:
    """Send bytes one by one for as long as the other side listens; False if it does so for too long."""
    for _ in range(transport.LONGEST_LINE // 2):
        try:
            connection.send(b"s")
            time.sleep(0.01)
            return connection.recv(1) == b""
        except BlockingIOError:
            pass
        except ConnectionError:
            return True
    return False


def test_a_client_has_its_time_for_the_whole_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that drips bytes is turned away: a byte gives it no more time."""
    # Every look at the clock takes an eighth of that time.
    looks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: next(looks) * transport.TOKEN_PATIENCE / 8)
    monkeypatch.setattr(transport, "time", clock)
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        admitted = pool.submit(transport._admit, listener, b"secret")
        with socket.create_connection(listener.getsockname(), PATIENCE) as slow:
            slow.setblocking(False)
            assert drips_until_closed(slow)
        with socket.create_connection(listener.getsockname(), PATIENCE) as other:
            other.sendall(b"secret\nContent")
            with admitted.result(PATIENCE) as connection:
                connection.setblocking(True)
                assert connection.recv(7) == b"Content"


def test_a_length_that_is_no_number_is_answered_and_the_session_goes_on(program: Program) -> None:
    program.initialize()
    program.open("file:///net.py", BRANCH)
    for length in (b"9" * 5_000, b"9" * 20_000, b"-5", b"", b"many", b"1e3"):
        # The body has no line end: the next header stands right behind it.
        program.raw(b'Content-Length: %s\r\n\r\n{"jsonrpc": "2.0"}' % length)
        assert program.answer(None)["error"]["code"] == -32700, length
        items = program.pull(f"still there after {length[:4]!r} {len(length)}", "file:///net.py")["result"]["items"]
        assert [item["code"] for item in items] == ["EDB101"], length
    assert program.end() == 0


def test_every_request_is_answered_whatever_its_name(program: Program) -> None:
    program.initialize()
    last = ("shutdown", "initialize")
    for number, (method, kinds) in enumerate(METHOD_TO_TYPES.items()):
        if method not in last:
            program.send(id=number, method=method, params={})
            answer = program.answer(number)
            if kinds[1] is None:
                assert answer["error"]["code"] == -32600, method
                assert method in answer["error"]["message"]
    program.open("file:///net.py", BRANCH)
    assert program.pull("still there", "file:///net.py")["result"]["items"]
    assert program.end() == 0


IMPOSSIBLE_NAMES = {
    "long name": "a" * 5_000 + ".py",
    "long path": "a/" * 2_500 + "net.py",
    "long in bytes": "ä" * 200 + ".py",
    "surrogate": "\ud800.py",
    "escaped": "%ff" * 100 + ".py",
}


def test_a_text_whose_name_no_file_can_have_is_checked(program: Program) -> None:
    program.initialize()
    for kind, name in IMPOSSIBLE_NAMES.items():
        program.passed.clear()
        uri = "file:///tmp/" + name
        program.open(uri, BRANCH)
        assert [item["code"] for item in program.pull(f"{kind}, first", uri)["result"]["items"]] == ["EDB101"], kind
        whole = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": BRANCH + "\n"}]}
        program.send(method="textDocument/didChange", params=whole)
        program.send(method="textDocument/didSave", params={"textDocument": {"uri": uri}})
        program.send(method="workspace/didChangeWatchedFiles", params={"changes": [{"uri": uri, "type": 2}]})
        assert program.pull(f"{kind}, second", uri)["result"]["items"], kind
        program.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
        assert program.pull(f"{kind}, closed", uri)["result"]["items"] == [], kind
        command = {"command": "exportdb.export", "arguments": [{"uri": uri}]}
        assert "error" in program.ask(f"{kind}, export", "workspace/executeCommand", **command), kind
        logged = [m["params"]["message"] for m in program.passed if m.get("method") == "window/logMessage"]
        assert not [line for line in logged if "Traceback" in line or len(line) > 1_000], kind
        if len(name) > 1_000:
            assert [line for line in logged if "too long" in line], kind
    assert program.end() == 0
