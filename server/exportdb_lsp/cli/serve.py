"""`exportdb-lsp --stdio` and `--tcp`: start the language server."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import re
import sys
from typing import TYPE_CHECKING, Final, NoReturn

from exportdb_lsp.generated_code import GeneratedCode

if TYPE_CHECKING:
    from collections.abc import Generator

    import click

LOOPBACK: Final = "127.0.0.1"
# In bytes; a client's first line may not be much longer.
LONGEST_TOKEN: Final = 4000
# Seconds after which the code that was generated is kept: the first answers are out.
KEEPING: Final = 10.0


def serve(tcp: str | None, *, allow_remote: bool, token: str | None) -> None:
    """Serve one editor, then end the process. `tcp` is HOST:PORT; None means standard input and output.

    Over a socket only this machine is listened to. Whoever can connect can have code of the workspace run by asking
    for an export, so an address that others can reach must be asked for, and then takes a token.
    """
    if tcp is None:
        serve_stdio()
    host, port = parse_address(tcp)
    if not is_loopback(host):
        if not allow_remote:
            raise _usage(f"{host} is reachable from other machines; use --allow-remote to permit this")
        if not token:
            raise _usage("--allow-remote requires EXPORTDB_LSP_TOKEN, --token-file or --token: clients can run code")
    with _importing() as code:
        from exportdb_lsp.lsp.server import serve_tcp
    try:
        status = serve_tcp(host, port, token or None)
    except OSError as error:
        raise _usage(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    code.save()
    _end(status)


def read_token(filename: str) -> str:
    """The token in a file, without the white space around it. Raises UsageError where there is none, or more lines."""
    # An editor over standard input and output has no need of the reader.
    from exportdb_rules.disk import read_bytes

    try:
        token = read_bytes(filename, LONGEST_TOKEN).decode().strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _usage(f"--token-file {filename}: cannot be read: {reason}") from None
    if not token or "\n" in token or "\r" in token:
        raise _usage(f"--token-file {filename}: the token must be a single line")
    return token


def serve_stdio() -> NoReturn:
    """Serve an editor over standard input and output, then end the process."""
    with _importing() as code:
        from exportdb_lsp.lsp import server
    status = server.serve_stdio()
    code.save()
    _end(status)


def _end(status: int) -> NoReturn:
    """End the process. Python itself would wait for threads that check or export something for nobody."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _usage(message: str) -> click.UsageError:
    # An editor waits for the server, and has no need of click.
    import click

    return click.UsageError(message)


@contextlib.contextmanager
def _importing() -> Generator[GeneratedCode]:
    """Import with the code of earlier starts, without the garbage collector, and keep that away from what was imported.

    The protocol's types are 550 classes, which stay until the end: to look for garbage among them takes a tenth of the
    time to start.
    """
    code = GeneratedCode()
    gc.disable()
    try:
        code.serve()
        yield code
        code.save_after(KEEPING)
    finally:
        gc.freeze()
        gc.enable()
        # A check makes some 50,000 objects and little garbage, but that in circles. Where Python looks at the older ones as
        # rarely as it does by default, a tenth of the memory is garbage after 10,000 edits.
        gc.set_threshold(50_000, 2, 1)


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT`. Raises UsageError."""
    match = re.fullmatch(r"(?:(?:\[([^\]]*)\]|([^:]*)):)?(\d{1,5})", text)
    if match is None or int(match[3]) > 65535:
        raise _usage(f"--tcp {text}: expected HOST:PORT, for example {LOOPBACK}:2087")
    return match[1] or match[2] or LOOPBACK, int(match[3])


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address. A name other than localhost is not looked up: it is not."""
    import ipaddress

    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
