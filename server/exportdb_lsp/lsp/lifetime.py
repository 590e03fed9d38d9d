"""Notices when the process that started the server is gone, which closes no pipe when others hold it open."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

INTERVAL: Final = 2.0


class Parent:
    """The process that `initialize` named."""

    def __init__(self, process: int, gone: Callable[[], None]) -> None:
        self._process = process
        self._gone = gone
        self._closed = threading.Event()

    def watch(self) -> None:
        """Look after it from now on, in a thread of its own: the event loop may be what hangs."""
        threading.Thread(target=self._watch, name="parent", daemon=True).start()

    def _watch(self) -> None:
        while not self._closed.wait(INTERVAL):
            if not alive(self._process):
                self._gone()
                # The loop had its chance to end in good order.
                if not self._closed.wait(2 * INTERVAL):
                    os._exit(1)
                return

    def close(self) -> None:
        """Look no more."""
        self._closed.set()


def alive(process: int) -> bool:
    """Whether a process exists. Where that cannot be told it is taken to."""
    if process <= 0:
        return True
    if sys.platform == "win32":
        return _alive_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _alive_on_windows(process: int) -> bool:
    # os.kill would end the process there, whatever the signal.
    import ctypes

    kernel: Any = getattr(ctypes, "windll").kernel32  # noqa: B009 - only Windows has it
    handle = kernel.OpenProcess(0x1000, False, process)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return kernel.GetLastError() == 5  # ERROR_ACCESS_DENIED: it is there, and somebody else's
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == 259  # STILL_ACTIVE
