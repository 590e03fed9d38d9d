"""A short conversation with the server on its standard streams: one file is opened, and asked for its diagnostics."""

from __future__ import annotations

import itertools
import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any


def diagnostics(
    command: Sequence[str],
    root: Path,
    path: Path,
    environment: Mapping[str, str] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    saves: bool = False,
) -> list[dict[str, Any]]:
    """What the server that a command starts says of a file. Asserts that it ends well.

    `saves`: the file is saved too, and what that starts is waited for. `options`: for the server, at its start.
    """
    document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text("utf-8")}
    start = {"processId": None, "rootUri": root.as_uri(), "capabilities": {"textDocument": {"diagnostic": {}}}}
    start |= {"initializationOptions": options} if options is not None else {}
    with subprocess.Popen(
        command, cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            _say(process.stdin, id=1, method="initialize", params=start)
            _hear(process.stdout, 1)
            _say(process.stdin, method="initialized", params={})
            _say(process.stdin, method="textDocument/didOpen", params={"textDocument": document})
            _say(process.stdin, id=2, method="textDocument/diagnostic", params={"textDocument": {"uri": path.as_uri()}})
            answer = _hear(process.stdout, 2)
            if saves:
                _say(process.stdin, method="textDocument/didSave", params={"textDocument": {"uri": path.as_uri()}})
                _wait_until_idle(process.stdin, process.stdout)
            _say(process.stdin, id=3, method="shutdown")
            _hear(process.stdout, 3)
            _say(process.stdin, method="exit")
            assert process.wait(30) == 0
        finally:
            process.kill()
    return answer["items"]


def _wait_until_idle(stdin: IO[bytes], stdout: IO[bytes]) -> None:
    for number in itertools.count(100):
        _say(stdin, id=number, method="workspace/executeCommand", params={"command": "exportdb.status"})
        # A save is followed up a moment later.
        if not _hear(stdout, number)["busy"] and number > 110:
            return
        time.sleep(0.02)


def _say(stream: IO[bytes], **message: Any) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    stream.flush()


def _hear(stream: IO[bytes], number: int) -> Any:
    """The answer to the request with this number; what comes before it is passed over."""
    while True:
        length = 0
        while (header := stream.readline()).strip():
            name, _, value = header.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        assert length, "the server has ended"
        message = json.loads(stream.read(length))
        if message.get("id") == number and "method" not in message:
            return message["result"]
