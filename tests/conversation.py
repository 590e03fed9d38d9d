"""A short conversation with the server on its standard streams: one file is opened, and asked for its diagnostics."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any


def diagnostics(
    command: Sequence[str], root: Path, path: Path, environment: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """What the server that a command starts says of a file. Asserts that it ends well."""
    document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text("utf-8")}
    start = {"processId": None, "rootUri": root.as_uri(), "capabilities": {"textDocument": {"diagnostic": {}}}}
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
            _say(process.stdin, id=3, method="shutdown")
            _hear(process.stdout, 3)
            _say(process.stdin, method="exit")
            assert process.wait(30) == 0
        finally:
            process.kill()
    return answer["items"]


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
