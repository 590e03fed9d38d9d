"""Bytes in and out: framed messages over standard input and output, or over one socket.

Reading stands in a thread of its own, so that a client that writes while the server writes never waits for ever, and
so that a process whose client is gone can end without waiting for input.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import os
import re
import selectors
import socket
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

# A header may stand behind the rest of a body that was not read as one.
_LENGTH: Final = re.compile(rb"(?<![\w-])content-length\s*:(.*)", re.IGNORECASE | re.DOTALL)
# Nothing has more digits: nobody sends a petabyte, and Python reads no number of thousands of them.
_NUMBER: Final = re.compile(rb"\d{1,15}")
# No sane message is larger; one that claims to be is read past and refused, the session goes on.
LARGEST_MESSAGE: Final = 256 * 1024 * 1024
_CHUNK: Final = 1024 * 1024
# Seconds that a client of a socket may take, from its connection on, to send the token.
TOKEN_PATIENCE: Final = 10.0
# So many clients may be about to send it, and so many bytes may its line have.
MAX_STRANGERS, LONGEST_LINE = 64, 4096


def read_message(stream: BinaryIO) -> bytes | None:
    """The body of the next message; None at the end of the stream.

    A body that is too large to be taken is empty, and so is one whose length is no number: where it ends nobody knows,
    so that what follows is read as headers until there is one.
    """
    length: int | None = None
    malformed = False
    while True:
        header = stream.readline(8192)
        if not header:
            return None
        start = _LENGTH.search(header)
        if start is not None:
            number = _NUMBER.fullmatch(start[1].strip())
            length, malformed = (int(number[0]), malformed) if number is not None else (0, True)
        elif not header.strip():
            if malformed:
                return b""
            if length is not None:
                break
            # An empty line without a length before it: noise between messages.
        elif b":" not in header:
            logger.warning("ignored an invalid header line: %r", header[:80])
    if length > LARGEST_MESSAGE:
        while length > 0:
            piece = stream.read(min(length, _CHUNK))
            if not piece:
                return None
            length -= len(piece)
        return b""
    body = stream.read(length)
    return body if len(body) == length else None


class Writer:
    """Where messages go. A client that is gone is no error here: the reader notices it and ends the session."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        """Write a whole framed message."""
        with self._lock:
            try:
                self._stream.write(data)
                self._stream.flush()
            except (BrokenPipeError, ConnectionError, ValueError):
                logger.debug("the client closed the connection")

    def close(self) -> None:
        """Close the stream."""
        with self._lock, contextlib.suppress(OSError):
            self._stream.close()


async def pump(stream: BinaryIO, receive: Callable[[bytes], None], stopped: asyncio.Event) -> None:
    """Hand every message to `receive`, in order, until the stream ends or somebody stops it."""
    loop = asyncio.get_running_loop()
    bodies: asyncio.Queue[bytes | None] = asyncio.Queue()

    def read() -> None:
        body: bytes | None = b""
        while body is not None:
            try:
                body = read_message(stream)
            except (OSError, ValueError):
                body = None
            try:
                loop.call_soon_threadsafe(bodies.put_nowait, body)
            except RuntimeError:
                return

    threading.Thread(target=read, name="reader", daemon=True).start()
    stopping = asyncio.ensure_future(stopped.wait())
    try:
        while not stopped.is_set():
            if bodies.empty():
                waiting = asyncio.ensure_future(bodies.get())
                await asyncio.wait((waiting, stopping), return_when=asyncio.FIRST_COMPLETED)
                if not waiting.done():
                    waiting.cancel()
                    return
                body = waiting.result()
            else:
                body = bodies.get_nowait()
            if body is None:
                return
            receive(body)
            # What the message started begins before the next message is looked at: a request for version n sees n.
            await asyncio.sleep(0)
    finally:
        stopping.cancel()


def standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output, with the names taken away: a stray `print` goes to stderr, not into a message."""
    stdin = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    stdout = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return stdin, stdout


def accept(host: str, port: int, token: str | None) -> tuple[BinaryIO, BinaryIO]:
    """Wait for one client on a socket. Says on stderr where it listens, which matters for port 0.

    With a token, a client has to send it first, on a line of its own; others are turned away. Each has its own time
    for that, and nobody waits for another one.
    """
    with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        name = listener.getsockname()
        print(f"listening on {name[0]}:{name[1]}", file=sys.stderr, flush=True)
        connection = listener.accept()[0] if token is None else _admit(listener, token.encode())
    connection.setblocking(True)
    reader, writer = connection.makefile("rb"), connection.makefile("wb")
    # The streams hold the connection open.
    connection.close()
    return reader, writer


@dataclass
class _Stranger:
    """A client that has not sent the token yet: what it sent, and until when it may."""

    connection: socket.socket
    until: float
    line: bytearray = field(default_factory=bytearray)


def _admit(listener: socket.socket, token: bytes) -> socket.socket:
    """The first client that sends the token. The others are closed by then."""
    strangers: dict[int, _Stranger] = {}
    with selectors.DefaultSelector() as waiting:
        listener.setblocking(False)
        waiting.register(listener, selectors.EVENT_READ)

        def turn_away(stranger: _Stranger, why: str) -> None:
            logger.warning("rejected a client that %s", why)
            waiting.unregister(stranger.connection)
            del strangers[stranger.connection.fileno()]
            stranger.connection.close()

        try:
            while True:
                nearest = min((stranger.until for stranger in strangers.values()), default=None)
                ready = waiting.select(None if nearest is None else max(nearest - time.monotonic(), 0))
                for key, _ in ready:
                    stranger = strangers.get(key.fd)
                    if stranger is None:
                        if key.fd != listener.fileno():
                            continue
                        if len(strangers) >= MAX_STRANGERS:
                            turn_away(next(iter(strangers.values())), "had waited longest when too many connected")
                        _greet(listener, waiting, strangers)
                        continue
                    said = _hear(stranger)
                    if said is None:
                        continue
                    if hmac.compare_digest(said, token):
                        waiting.unregister(stranger.connection)
                        del strangers[key.fd]
                        return stranger.connection
                    turn_away(stranger, "did not send the token")
                now = time.monotonic()
                for stranger in [one for one in strangers.values() if one.until <= now]:
                    turn_away(stranger, "did not send the token in time")
        finally:
            for stranger in strangers.values():
                stranger.connection.close()


def _greet(listener: socket.socket, waiting: selectors.BaseSelector, strangers: dict[int, _Stranger]) -> None:
    # A client may be gone between the two calls.
    with contextlib.suppress(OSError):
        connection, _ = listener.accept()
        connection.setblocking(False)
        strangers[connection.fileno()] = _Stranger(connection, time.monotonic() + TOKEN_PATIENCE)
        waiting.register(connection, selectors.EVENT_READ)


def _hear(stranger: _Stranger) -> bytes | None:
    """The line that a client sent first; empty if there will be none, None if it may still come.

    It is read byte by byte: what stands behind it is the session's.
    """
    try:
        while len(stranger.line) < LONGEST_LINE:
            piece = stranger.connection.recv(1)
            if not piece:
                return b""
            if piece == b"\n":
                return bytes(stranger.line.strip())
            stranger.line += piece
    except BlockingIOError:
        return None
    except OSError:
        pass
    return b""
