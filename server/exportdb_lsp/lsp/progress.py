"""Long work: shown while it lasts, and ended when somebody cancels it."""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from typing import TYPE_CHECKING, Final, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from exportdb_lsp.lsp import status
from exportdb_lsp.lsp.errors import request_failed

if TYPE_CHECKING:
    from collections.abc import Callable

    from exportdb_lsp.lsp.server import ExportServer

logger = logging.getLogger(__name__)
T = TypeVar("T")

# A client that does not answer must not keep the work from beginning.
PATIENCE: Final = 2.0


class Task:
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
        server.running_tasks.add(self)
        if self._token is None and server.client.progress:
            self._token = f"exportdb-{uuid.uuid4()}"
            params = types.WorkDoneProgressCreateParams(self._token)
            try:
                asking = server.protocol.send_request_async(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
                await asyncio.wait_for(asking, PATIENCE)
            except (JsonRpcException, TimeoutError, asyncio.TimeoutError):
                self._token = None
            except asyncio.CancelledError:
                server.running_tasks.remove(self)
                raise
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
        self._server.running_tasks.remove(self)
        if self._shown:
            self._shown = False
            self._send(types.WorkDoneProgressEnd(message=message or None))

    async def carried_out(self, call: Callable[[Callable[[str], None]], T]) -> T:
        """Begin, let a thread do it, end; what it came to. `call` is given whom to tell what it is at.

        Raises:
            JsonRpcException: it was refused, or it broke; the message says why.
        """
        from exportdb_lsp.confirm.confirmer import RequestError

        server = self._server
        await self.begin()
        status.tell(server, self.title)
        failed = ""

        def say(message: str) -> None:
            server.from_anywhere(lambda: self.say(message))

        try:
            return await asyncio.shield(asyncio.get_running_loop().run_in_executor(server.exports, lambda: call(say)))
        except asyncio.CancelledError:
            # The request was cancelled, not the progress: end the work too, nobody wants its answer.
            self.cancelled.set()
            raise
        except RequestError as error:
            failed = str(error)
            raise request_failed(failed) from error
        except Exception as error:
            logger.error("%s failed", self.title, exc_info=error)
            failed = f"{type(error).__name__}: {error}"
            raise request_failed(f"{self.title} failed: {failed}") from error
        finally:
            self.end("cancelled" if self.cancelled.is_set() else failed)
            status.tell(server, failed, error=bool(failed))

    def is_of(self, token: types.ProgressToken) -> bool:
        """Whether the client knows it by that token."""
        return self._token is not None and self._token == token

    def _send(
        self, value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd
    ) -> None:
        if self._token is not None:
            self._server.progress(types.ProgressParams(self._token, value))


class RunningTasks:
    """All work that is going on."""

    def __init__(self) -> None:
        self._works: list[Task] = []

    @property
    def busy(self) -> bool:
        """Whether there is any."""
        return bool(self._works)

    def add(self, work: Task) -> None:
        """It begins."""
        self._works.append(work)

    def remove(self, work: Task) -> None:
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
