"""How fast the language server is: to its first answer, from an edit to its diagnostics, and in memory.

    python bench/lsp.py [--edits N] [--lines N] [--documents N] [--many N]

The yardstick is `libcst.parse_module` of the same text in the same run, so that the ratios hold on a slow machine.
Everything goes through `exportdb-lsp --stdio`, as an editor sees it. On a machine that is busy with something else, what
an editor waits for says more of that than of the server: beside it stands the time that the server computed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import libcst

if TYPE_CHECKING:
    from collections.abc import Mapping

PARTS = 4

CLASS = '''
class Block{number}(nn.Module):
    """A block."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.width = width
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        self.register_buffer("seen", torch.zeros(1))

    def mix(self, x, y):
        z = torch.cat([x, y], dim=-1)
        return z.reshape(z.shape[0], -1)[:, : self.width]

    def forward(self, x, mask=None):
        y = self.first(x)
        if mask is not None:
            y = y * mask
        for _ in range(3):
            y = torch.relu(self.second(y)) + x
        if self.seen.sum() > {number}:
            y = y + 1
        return self.mix(x, y)
'''


def source(lines: int) -> str:
    """A file of about that many lines, with a finding in every class."""
    text = "import torch\nfrom torch import nn\n"
    number = 0
    while text.count("\n") < lines:
        text += CLASS.format(number=number)
        number += 1
    return text


class Times(NamedTuple):
    """Seconds that somebody waited for something, and seconds of them that were computed."""

    waited: float
    computed: float


class Server:
    """One session with the program."""

    def __init__(self, variables: Mapping[str, str] | None = None) -> None:
        command = [sys.executable, "-m", "exportdb_lsp", "--stdio"]
        # As where it is installed: bytecode is kept.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= variables or {}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._number = 0
        self.answered: set[object] = set()
        """The ids of requests that were sent without waiting, and have been answered."""

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method: str, params: Any) -> Any:
        """Send a request and wait for its answer."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self.wait_for(self._number)

    def wait_for(self, number: object) -> Any:
        """The answer to a request that was sent."""
        assert self.process.stdout is not None
        while True:
            length = 0
            while (line := self.process.stdout.readline()) != b"\r\n":
                assert line, "the server is gone"
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            if "id" in message and "method" not in message:
                self.answered.add(message["id"])
                if message["id"] == number:
                    assert "error" not in message, message
                    return message["result"]

    def open(self, uri: str, text: str) -> None:
        """Open a document."""
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def pull(self, uri: str) -> list[Any]:
        """The diagnostics of a document."""
        return self.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]

    def memory(self) -> float:
        """Resident memory in MB; 0 where the system does not say."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0.0
        return next(int(line.split()[1]) / 1024 for line in status.read_text().splitlines() if line.startswith("VmRSS"))

    def computed(self) -> float:
        """Seconds that all its threads have been on a processor; 0 where the system does not say."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def now(self) -> Times:
        """What `since` counts from."""
        return Times(time.perf_counter(), self.computed())

    def since(self, before: Times) -> Times:
        """The seconds since then, and those of them that it computed."""
        return Times(time.perf_counter() - before.waited, self.computed() - before.computed)

    def end(self) -> None:
        """Shut down."""
        self.ask("shutdown", None)
        self.send({"method": "exit"})
        self.process.wait()


def start(root: str | None = None, variables: Mapping[str, str] | None = None) -> tuple[Server, Times]:
    """A server on a workspace, and the time until it answered `initialize`."""
    began = time.perf_counter()
    server = Server(variables)
    server.ask("initialize", {"processId": None, "rootUri": root, "capabilities": {"textDocument": {"diagnostic": {}}}})
    took = Times(time.perf_counter() - began, server.computed())
    server.send({"method": "initialized", "params": {}})
    return server, took


def parse(text: str) -> Times:
    """The median time that libcst needs to parse the text."""
    times: list[Times] = []
    for _ in range(3):
        began, computed = time.perf_counter(), time.process_time()
        libcst.parse_module(text)
        times.append(Times(time.perf_counter() - began, time.process_time() - computed))
    return middle(times)


def middle(times: list[Times], share: float = 0.5) -> Times:
    """The time below which that share of the times lies."""
    at = int(share * (len(times) - 1))
    return Times(sorted(t.waited for t in times)[at], sorted(t.computed for t in times)[at])


def edits(server: Server, text: str, number: int, uri: str) -> list[Times]:
    """The times from an edit to its diagnostics: characters are typed into the middle of the file, in `forward`s."""
    server.open(uri, text)
    expected = len(server.pull(uri))
    assert expected == text.count("class "), f"one finding in every class, not {expected}"
    rows = [row for row, line in enumerate(text.splitlines()) if line.strip() == "y = self.first(x)"]
    times: list[Times] = []
    for count in range(number):
        place = {"line": rows[(count * 7) % len(rows)], "character": 12}
        change = {"range": {"start": place, "end": place}, "text": " "}
        began, computed = time.perf_counter(), server.computed()
        server.send(
            {
                "method": "textDocument/didChange",
                "params": {"textDocument": {"uri": uri, "version": count + 2}, "contentChanges": [change]},
            }
        )
        found = len(server.pull(uri))
        times.append(Times(time.perf_counter() - began, server.computed() - computed))
        assert found == expected, f"{found} findings after an edit that changes nothing, {expected} before"
    server.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
    return times


def opening(documents: int, folder: str) -> Times:
    """The time to open so many small documents of a folder, and to learn the diagnostics of each."""
    server, _ = start()
    text = source(10)
    began, computed = time.perf_counter(), server.computed()
    for number in range(documents):
        uri = Path(folder, f"model{number}.py").as_uri()
        server.open(uri, text)
        server.pull(uri)
    took = Times(time.perf_counter() - began, server.computed() - computed)
    server.end()
    return took


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=60)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--documents", type=int, default=50)
    parser.add_argument("--many", type=int, default=1000)
    parser.add_argument("--starts", type=int, default=7)
    options = parser.parse_args()
    began: list[Times] = []
    # The first writes what a program that was used before finds: the bytecode and the code that was generated.
    for _ in range(options.starts + 1):
        server, took = start()
        began.append(took)
        server.end()
    starting, computed = middle(began[1:])
    print(f"start to initialized     {starting:8.3f} s  median of {options.starts} (goal 0.6 s)")
    print(f"    computed             {computed:8.3f} s")
    text = source(options.lines)
    server, _ = start()
    times: list[Times] = []
    parses: list[Times] = []
    # In turns, so that both see the same machine.
    for part in range(PARTS):
        times += edits(server, text, max(options.edits // PARTS, 1), f"file:///bench/edited{part}.py")
        parses.append(parse(text))
    yardstick = middle(parses)
    print(f"libcst.parse_module      {yardstick.waited * 1000:8.1f} ms of {text.count(chr(10))} lines")
    print(f"    computed             {yardstick.computed * 1000:8.1f} ms")
    shares: list[float] = []
    for name, share, goal in (("median", 0.5, 0.25), ("p95   ", 0.95, 0.5)):
        took = middle(times, share)
        waited, computed = took.waited / yardstick.waited, took.computed / yardstick.computed
        shares.append(waited)
        print(f"edit to diagnostics      {took.waited * 1000:8.1f} ms {name} = {waited:.2f} x parse (goal {goal:.2f})")
        print(f"    computed             {took.computed * 1000:8.1f} ms {name} = {computed:.2f} x parse")
    server.end()
    server, _ = start()
    small = source(200)
    for number in range(options.documents):
        uri = f"file:///bench/model{number}.py"
        server.open(uri, small)
        server.pull(uri)
    memory = server.memory()
    print(f"resident memory          {memory:8.1f} MB with {options.documents} documents open (goal 200 MB)")
    server.end()
    with tempfile.TemporaryDirectory() as folder:
        few, many = opening(options.many // 4, folder), opening(options.many, folder)
    print(f"opening a document       {few.waited / (options.many // 4) * 1000:8.2f} ms of {options.many // 4}")
    print(f"                         {many.waited / options.many * 1000:8.2f} ms of {options.many}")
    waited, computed = many.waited / few.waited / 4, many.computed / few.computed / 4 if few.computed else 0.0
    print(f"                         {waited:8.2f} x as long each (goal 1.25); computed {computed:.2f} x")
    print(
        f"initialized after {starting:.2f} s; an edit {shares[0]:.2f} × libcst.parse_module in the median, {shares[1]:.2f} at p95; "
        f"{memory:.0f} MB with {options.documents} documents; of {options.many} documents each takes {waited:.2f} × as long as of {options.many // 4}"
    )


if __name__ == "__main__":
    main()
