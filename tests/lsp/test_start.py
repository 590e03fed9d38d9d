"""A start: what it leaves behind for the next one, and whom a socket waits for."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from exportdb_lsp.generated_code import GeneratedCode
from exportdb_lsp.lsp import transport

# Runs the program, and counts what is compiled from source that was generated.
COUNTING = """
import os, sys

compiled = 0

def count(event, arguments):
    global compiled
    compiled += event == "compile" and isinstance(arguments[0], (str, bytes)) and "generated" in str(arguments[1])

sys.addaudithook(count)
leave = os._exit

def told(status):
    print("compiled", compiled, file=sys.stderr, flush=True)
    leave(status)

os._exit = told
sys.argv[1:] = ["--stdio"]
from exportdb_lsp.__main__ import main
main()
"""


@pytest.fixture(autouse=True)
def bytecode_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def session(kept: Path, **more: str) -> int:
    """One session that keeps its bytecode there; the number of generated sources that it compiled."""
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", COUNTING],
        input=sent,
        capture_output=True,
        env={**plain, "PYTHONPYCACHEPREFIX": str(kept), **more},
        timeout=120,
        check=True,
    )
    assert b'"capabilities"' in done.stdout
    (told,) = [line for line in done.stderr.decode().splitlines() if line.startswith("compiled")]
    return int(told.split()[1])


def test_a_second_start_compiles_hardly_any_generated_code(tmp_path: Path) -> None:
    assert session(tmp_path) > 500
    assert session(tmp_path) < 100


def test_a_start_that_may_keep_nothing_keeps_nothing(tmp_path: Path) -> None:
    session(tmp_path, PYTHONDONTWRITEBYTECODE="1")
    assert not list(tmp_path.rglob("*.generated"))


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other"])
def test_a_damaged_file_is_as_good_as_none_and_written_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "kept.generated"
    first = GeneratedCode(path)
    first.compile("answer = 42\n", "<generated>", "exec")
    first.save()
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[-3] ^= 0xFF
    path.write_bytes({"cut": whole[:-7], "changed": bytes(changed), "empty": b"", "other": b"#" * 200}[damage])
    scope: dict[str, Any] = {}
    second = GeneratedCode(path)
    exec(second.compile("answer = 42\n", "<generated>", "exec"), scope)
    assert scope["answer"] == 42
    second.save()
    assert path.read_bytes() == whole


def test_code_that_is_known_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.generated"
    first = GeneratedCode(path)
    first.compile("answer = 42\n", "<generated>", "exec")
    first.save()
    path.chmod(0o600)
    written = path.stat()
    second = GeneratedCode(path)
    second.compile("answer = 42\n", "<generated>", "exec")
    second.save()
    now = path.stat()
    assert (now.st_ino, now.st_mtime_ns, now.st_size) == (written.st_ino, written.st_mtime_ns, written.st_size)


def test_the_same_source_under_another_name_is_other_code(tmp_path: Path) -> None:
    code = GeneratedCode(tmp_path / "kept.generated")
    names = [code.compile("answer = 42\n", name, "exec").co_filename for name in ("<one>", "<two>")]
    assert names == ["<one>", "<two>"]


def test_code_follows_the_future_of_the_module_that_wrote_it(tmp_path: Path) -> None:
    """dataclasses, which has no `annotations` of the future, gets its annotations as objects, with us as without."""
    code = GeneratedCode(tmp_path / "kept.generated")
    source = "def generated(x: int): ...\n"
    plain: dict[str, Any] = {"execute": code.execute, "source": source}
    exec(compile("execute(source, globals())", "<plain>", "exec", dont_inherit=True), plain)
    assert plain["generated"].__annotations__ == {"x": int}
    ahead: dict[str, Any] = {"execute": code.execute, "source": source}
    text = "from __future__ import annotations\nexecute(source, globals())"
    exec(compile(text, "<ahead>", "exec", dont_inherit=True), ahead)
    assert ahead["generated"].__annotations__ == {"x": "int"}


def test_a_place_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    code = GeneratedCode(tmp_path / "file" / "kept.generated")
    code.compile("answer = 42\n", "<generated>", "exec")
    code.save()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "in the way"


def test_a_client_that_says_nothing_and_one_that_is_gone_keep_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "TOKEN_PATIENCE", 0.05)
    listener = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setattr(transport.socket, "create_server", lambda *_, **__: listener)
    accepted: list[Any] = []
    waiting = threading.Thread(target=lambda: accepted.append(transport.accept("127.0.0.1", 0, "secret")), daemon=True)
    address = listener.getsockname()
    with socket.create_connection(address), socket.create_connection(address) as gone:
        # A reset in place of an end: reading from it is an error.
        gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        gone.close()
        waiting.start()
        with socket.create_connection(address) as client:
            client.sendall(b"secret\nhello\n")
            waiting.join(60)
            reader, writer = accepted[0]
            assert reader.readline() == b"hello\n"
            reader.close()
            writer.close()
