"""The server's log, told to the client; nothing is written where messages are."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from exportdb_lsp.lsp.server import ExportServer

_TYPES: Final = {
    logging.DEBUG: types.MessageType.Debug,
    logging.INFO: types.MessageType.Info,
    logging.WARNING: types.MessageType.Warning,
    logging.ERROR: types.MessageType.Error,
    logging.CRITICAL: types.MessageType.Error,
}
# The same complaint again and again is told once in this many seconds, and so many of one kind.
_QUIET: Final = 60.0
_MOST: Final = 8


class ClientHandler(logging.Handler):
    """Hands records to the client as `window/logMessage`, the same words not too often."""

    def __init__(self, server: ExportServer) -> None:
        super().__init__(logging.INFO)
        self._server = server
        self._logged: dict[str, dict[str, float]] = {}
        """By kind of complaint, what was told and when."""

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record, from whichever thread."""
        try:
            if record.levelno < logging.ERROR and self._knows(record):
                return
            text = self.format(record)
            kind = _TYPES.get(record.levelno, types.MessageType.Log)
            self._server.from_anywhere(lambda: self._server.window_log_message(types.LogMessageParams(kind, text)))
        except Exception:
            self.handleError(record)

    def _knows(self, record: logging.LogRecord) -> bool:
        text, now = record.getMessage(), time.monotonic()
        logged = {known: at for known, at in self._logged.get(str(record.msg), {}).items() if now - at < _QUIET}
        self._logged[str(record.msg)] = logged
        if text in logged or len(logged) >= _MOST:
            return True
        logged[text] = now
        return False


def register(server: ExportServer) -> None:
    """Send what this program logs to the client; what its libraries log is of no use to anybody."""
    own = logging.getLogger("exportdb_lsp")
    for old in [h for h in own.handlers if isinstance(h, ClientHandler)]:
        own.removeHandler(old)
    own.addHandler(ClientHandler(server))
    own.setLevel(logging.INFO)
    own.propagate = False
    logging.getLogger("pygls").setLevel(logging.CRITICAL)


def trace(server: ExportServer, message: str, verbose: str | None = None) -> None:
    """A line for who turned tracing on."""
    level = server.protocol.trace
    if level is not types.TraceValue.Off:
        more = verbose if level is types.TraceValue.Verbose else None
        server.log_trace(types.LogTraceParams(message, more))
