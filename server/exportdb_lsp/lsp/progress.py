"""Long work: shown while it lasts, and ended when somebody cancels it."""

from __future__ import annotations

import asyncio
import threading
import uuid
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from exportdb_lsp.lsp.server import ExportServer

# A client that does not answer must not keep the work from beginning.
PATIENCE: Final = 2.0


class Work:
    """One piece of work, from `begin` to `end`. `cancelled` is set when the user has had enough of it.

    `about` are the files whose texts it works on: an edit of one of them makes its answer worthless.
    """

    def __init__(
        self,
        server: ExportServer,
        title: str,
        token: types.ProgressToken | None,
        about: frozenset[str] = frozenset(),
    ) -> None:
        self._server = server
        self.title = title
        self.about = about
        self._token = token
        self._last = ""
        self.cancelled = threading.Event()
        self._shown = False

    async def begin(self) -> None:
        """Show it: with the token that came with the request, else with one of our own."""
        server = self._server
        server.busy.add(self)
        if self._token is None and server.client.progress:
            self._token = f"exportdb-{uuid.uuid4()}"
            params = types.WorkDoneProgressCreateParams(self._token)
            try:
                asking = server.protocol.send_request_async(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
                await asyncio.wait_for(asking, PATIENCE)
            except (JsonRpcException, TimeoutError, asyncio.TimeoutError):
                self._token = None
        if self._token is not None:
            self._shown = True
            self._send(types.WorkDoneProgressBegin(self.title, cancellable=True))

    def say(self, message: str, percentage: int | None = None) -> None:
        """What it is at. To be called on the event loop."""
        if self._shown and message != self._last:
            self._last = message
            self._send(types.WorkDoneProgressReport(message=message, percentage=percentage))

    def end(self, message: str = "") -> None:
        """It is done, well or not."""
        self._server.busy.remove(self)
        if self._shown:
            self._shown = False
            self._send(types.WorkDoneProgressEnd(message=message or None))

    def is_of(self, token: types.ProgressToken) -> bool:
        """Whether the client knows it by that token."""
        return self._token is not None and self._token == token

    def _send(
        self, value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd
    ) -> None:
        if self._token is not None:
            self._server.progress(types.ProgressParams(self._token, value))


class Busy:
    """All work that is going on."""

    def __init__(self) -> None:
        self._works: list[Work] = []

    @property
    def busy(self) -> bool:
        """Whether there is any."""
        return bool(self._works)

    def add(self, work: Work) -> None:
        """It begins."""
        self._works.append(work)

    def remove(self, work: Work) -> None:
        """It ended."""
        if work in self._works:
            self._works.remove(work)

    def cancel(self, token: types.ProgressToken) -> None:
        """The user pressed cancel."""
        for work in self._works:
            if work.is_of(token):
                work.cancelled.set()

    def edited(self, filename: str) -> None:
        """A file has another text now."""
        for work in self._works:
            if filename in work.about:
                work.cancelled.set()

    def cancel_all(self) -> None:
        """The session ends."""
        for work in self._works:
            work.cancelled.set()
