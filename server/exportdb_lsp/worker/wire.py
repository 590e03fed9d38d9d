"""Messages between processes: JSON objects, each behind its length.

Two framings. Between server and worker: four bytes of length, then the JSON; nothing of the user's holds these
descriptors. Between a worker and the child that runs the user's code, the user's code could write to the descriptor:
there a frame also carries a mark and a seal, and the reader picks the whole frames out of whatever comes.

The seal is made with a key that only the worker and our code in the child know. It is no wall: the user's code runs in the
same process and can do anything there. It takes care that a verdict is not forged by what lies at hand: neither by who
finds the reporter and uses it, nor by who replaces functions of ours.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, Protocol

Message = dict[str, Any]

# Bound now: the user's code may replace what stands in these modules before a child reports.
_encode = json.JSONEncoder(ensure_ascii=True).encode
_decode = json.JSONDecoder().decode
_write = os.write
_fstat = os.fstat
_open = os.open
_close = os.close
_getpid = os.getpid
_exit = os._exit
_getframe: Any = vars(sys)["_getframe"]
_blake2b = hashlib.blake2b
_pack = struct.Struct(">I").pack

MARK_BYTES = SEAL_BYTES = 16
SECRET_BYTES = 32
"""The mark, then the key of the seals."""
# What makes a verdict good. It is ours to say alone: nothing of the user's may stand between these functions and a report.
GOOD = frozenset({"exported", "agreed", "compared", "sized", "judged", "uncompared", "verified", "same"})
OUTERMOST = frozenset({("child.py", "run"), ("apart.py", "_live"), ("watching.py", "here")})
_HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
# The first bytes of the trusted wire. What an interpreter prints before our first line runs (a `.pth` file with a banner,
# a wrapper script that says what it starts) stands before them.
PREAMBLE = b"\0exportdb worker\0"
LARGEST = 256 * 1024 * 1024


def pack(message: Message) -> bytes:
    """One message as it goes over the trusted wire."""
    body = _encode(message).encode("ascii")
    return _pack(len(body)) + body


class Unpacker:
    """Turns the bytes of the trusted wire back into messages."""

    def __init__(self) -> None:
        self._pending = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that `data` completes.

        Raises:
            ValueError: the other side does not speak this protocol.
        """
        self._pending += data
        while len(self._pending) >= 4:
            size = int.from_bytes(self._pending[:4], "big")
            if size > LARGEST:
                raise ValueError(f"a message of {size} bytes")
            if len(self._pending) < 4 + size:
                return
            body = bytes(self._pending[4 : 4 + size])
            del self._pending[: 4 + size]
            yield _decode(body.decode("ascii"))


class Preamble:
    """Passes over everything up to and with the first bytes of the trusted wire."""

    def __init__(self) -> None:
        self._seen: bytearray | None = bytearray()

    def feed(self, data: bytes) -> bytes:
        """What of `data` belongs to the wire."""
        if self._seen is None:
            return data
        self._seen += data
        before, found, rest = self._seen.partition(PREAMBLE)
        if not found:
            self._seen = before[-len(PREAMBLE) :]
            return b""
        self._seen = None
        return bytes(rest)


class Channel:
    """The trusted wire, seen from the worker."""

    def __init__(self, reader: int, writer: int) -> None:
        self.reader = reader
        self.writer = writer
        self.unpacker = Unpacker()

    def send(self, message: Message) -> None:
        """Writes one message whole. A server that is gone ends the worker."""
        write_all(self.writer, pack(message))

    def close(self) -> None:
        """Lets go of both ends: done in a child before any code of the user runs."""
        os.close(self.reader)
        os.close(self.writer)


def take_standard_streams() -> Channel:
    """Moves stdin and stdout to descriptors that only we know; what prints from now on prints to nowhere."""
    reader, writer = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    if os.name == "nt":  # the C runtime would turn a newline byte into two
        import msvcrt

        for descriptor in (reader, writer):
            msvcrt.setmode(descriptor, os.O_BINARY)
    write_all(writer, PREAMBLE)
    return Channel(reader, writer)


def write_all(descriptor: int, data: bytes) -> None:
    """`os.write` until everything is out."""
    view = memoryview(data)
    while view:
        view = view[_write(descriptor, view) :]


def _sealer(key: bytes) -> Callable[[Message], bytes]:
    """What makes a message a sealed frame, without its mark."""
    begun = _blake2b(digest_size=SEAL_BYTES, key=key)
    package = __name__.rpartition(".")[0] + "."
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(package)]
    ours = _functions(modules)

    def seal(message: Message) -> bytes:
        if message.get("part") in GOOD and not (_asked_by_us(_getframe(2)) and _functions(modules) == ours):
            message = {"part": "forged", **{k: message[k] for k in ("call", "mode", "goal") if k in message}}
        body = _encode(message).encode("ascii")
        made = begun.copy()
        made.update(body)
        return _pack(len(body)) + made.digest() + body

    return seal


def _asked_by_us(frame: Any) -> bool:
    """Whether all that called a frame, up to where our part of the work began, is ours."""
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_HERE):
            return False
        if (code.co_filename[len(_HERE) :], code.co_name) in OUTERMOST:
            return True
        frame = frame.f_back
    return True


def _functions(modules: list[types.ModuleType]) -> list[tuple[str, Any, Any]]:
    """The functions that modules hold, their classes' included, each with its code."""
    found: list[tuple[str, Any, Any]] = []
    for module in modules:
        for owner in [
            module,
            *(v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__),
        ]:
            for key, value in list(vars(owner).items()):
                function = getattr(value, "__func__", value)
                if isinstance(function, types.FunctionType):
                    found.append((key, function, function.__code__))
    return found


class Reporter:
    """How a child reports, whatever the user's code did to its descriptors.

    Frames go to the pipe as long as that is the pipe we were given; a child whose descriptors were closed or
    replaced appends them to the file `fallback` instead, which the worker reads when the child has ended.
    """

    def __init__(self, descriptor: int, secret: bytes, fallback: str) -> None:
        self._descriptor = descriptor
        self._mark = secret[:MARK_BYTES]
        self._seal = _sealer(secret[MARK_BYTES:])
        self._fallback = fallback
        self._identity = self._identify()
        self._owner = _getpid()

    def here(self) -> Reporter:
        """The same for this process, a copy that we made ourselves of the one that reports."""
        other = object.__new__(Reporter)
        other.__dict__.update(self.__dict__, _owner=_getpid())
        return other

    def _identify(self) -> tuple[int, int] | None:
        try:
            status = _fstat(self._descriptor)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def send(self, message: Message) -> None:
        """Reports one message; never raises for a broken pipe.

        A process that the user's code forked, and that came back out of it into ours, has no say and is ended here.
        """
        if _getpid() != self._owner:
            _exit(0)
        frame = self._mark + self._seal(message)
        if self._identity is not None and self._identify() == self._identity:
            try:
                write_all(self._descriptor, frame)
                return
            except OSError:
                pass
        descriptor = _open(self._fallback, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        write_all(descriptor, frame)
        _close(descriptor)


class Sender(Protocol):
    """Whoever takes what a job has to say."""

    def send(self, message: Message) -> None:
        """Takes one message."""


class MarkedSender:
    """Says of every message which of several jobs in one process it belongs to."""

    def __init__(self, sender: Sender, **marks: Any) -> None:
        self._sender = sender
        self._marks = marks

    def send(self, message: Message) -> None:
        """One message, marked."""
        self._sender.send({**message, **self._marks})


class Recoverer:
    """Finds the sealed frames of a child in a stream that may hold anything between them."""

    def __init__(self, secret: bytes) -> None:
        self._mark = secret[:MARK_BYTES]
        self._key = secret[MARK_BYTES:]
        self._pending = bytearray()

    def feed(self, data: bytes) -> list[Message]:
        """The messages that `data` completes; rubbish is dropped."""
        self._pending += data
        messages: list[Message] = []
        while True:
            start = self._pending.find(self._mark)
            if start < 0:
                del self._pending[:-MARK_BYTES]
                return messages
            del self._pending[:start]
            header = MARK_BYTES + 4 + SEAL_BYTES
            if len(self._pending) < header:
                return messages
            size = int.from_bytes(self._pending[MARK_BYTES : MARK_BYTES + 4], "big")
            if size <= LARGEST and len(self._pending) < header + size:
                return messages
            seal = bytes(self._pending[MARK_BYTES + 4 : header])
            body = bytes(self._pending[header : header + size])
            if size <= LARGEST and _blake2b(body, digest_size=SEAL_BYTES, key=self._key).digest() == seal:
                messages.append(_decode(body.decode("ascii")))
                del self._pending[: header + size]
            else:
                del self._pending[:MARK_BYTES]
