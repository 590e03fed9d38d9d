"""`exportdb-lsp --stdio` and `--tcp`: start the language server."""

from __future__ import annotations

import contextlib
import gc
import re
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Generator

LOOPBACK = "127.0.0.1"


def serve(tcp: str | None, *, allow_remote: bool, token: str | None) -> None:
    """Serve one editor, then end the process. `tcp` is HOST:PORT; None means standard input and output.

    Over a socket only this machine is listened to. Whoever can connect can have code of the workspace run by asking
    for an export, so an address that others can reach must be asked for, and then takes a token.
    """
    if tcp is None:
        with _not_collecting():
            from exportdb_lsp.lsp.server import serve_stdio
        sys.exit(serve_stdio())
    host, port = parse_address(tcp)
    if not is_loopback(host):
        if not allow_remote:
            raise click.UsageError(f"{host} can be reached from other machines: say --allow-remote if that is meant")
        if not token:
            raise click.UsageError("--allow-remote needs --token (or EXPORTDB_LSP_TOKEN): who connects can run code")
    with _not_collecting():
        from exportdb_lsp.lsp.server import serve_tcp
    try:
        status = serve_tcp(host, port, token or None)
    except OSError as error:
        raise click.UsageError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    sys.exit(status)


@contextlib.contextmanager
def _not_collecting() -> Generator[None]:
    """Import without the garbage collector, and keep it away from what was imported: that stays until the end.

    The protocol's types are 600 classes; to look for garbage among them takes a tenth of the time to start.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
        # A check makes some 50,000 objects and hardly any garbage.
        gc.set_threshold(100_000, 10, 10)


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT`. Raises UsageError."""
    match = re.fullmatch(r"(?:(?:\[([^\]]*)\]|([^:]*)):)?(\d{1,5})", text)
    if match is None or int(match[3]) > 65535:
        raise click.UsageError(f"--tcp {text}: write HOST:PORT, for example {LOOPBACK}:2087")
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
