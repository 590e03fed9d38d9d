"""A thread for work that nobody must have to wait for at the end.

The pool of the standard library joins its threads when Python ends: a session that is over would go on for as long as a
check takes.
"""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
_Work = tuple["Future[Any]", "Callable[[], Any]"]


class Lane(Executor):
    """One thread that does one thing after the other. It begins with its first work, and no end waits for it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._begun = False
        self._closed = False

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Have the thread call something.

        Raises:
            RuntimeError: the lane is closed.
        """
        future: Future[T] = Future()
        with self._guard:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            if not self._begun:
                self._begun = True
                threading.Thread(target=self._go, name=self._name, daemon=True).start()
            self._waiting.put((future, lambda: fn(*args, **kwargs)))
        return future

    @property
    def awaited(self) -> bool:
        """Whether more work waits behind what is being done."""
        return not self._waiting.empty()

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = True) -> None:
        """End the thread once it is done with what it is doing; what waits is dropped."""
        with self._guard:
            self._closed = True
            while cancel_futures and not self._waiting.empty():
                work = self._waiting.get()
                if work is not None:
                    work[0].cancel()
            self._waiting.put(None)

    def _go(self) -> None:
        while (work := self._waiting.get()) is not None:
            future, call = work
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except BaseException as error:
                    future.set_exception(error)
            del future, call, work  # the last answer is not kept until the next
