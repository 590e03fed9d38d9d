"""Temporary folders of this program, and what is left of them, and of processes of a model, where it was killed.

Each folder holds a marker that says which process it belongs to. What a killed process left is taken away when the next
one starts: folders of a dead owner, of this user and this machine, and the processes that carry the folder's name in
their environment, where a system tells the environment of a process (Linux).
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from exportdb_rules.disk import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX: Final = "exportdb-"
MARKER: Final = "owner.json"
VARIABLE: Final = "EXPORTDB_LSP_RUN"
"""In the environment of all that is started on behalf of a folder: the folder's name."""
# In bytes.
LARGEST_MARKER: Final = 4096
LARGEST_ENVIRONMENT: Final = 4 * 1024 * 1024


class TemporaryFolder:
    """A folder for one piece of work of this process. `close` takes it away, with what runs on its behalf.

    Raises:
        OSError: it cannot be made.
    """

    def __init__(self) -> None:
        owner = json.dumps(_identity(os.getpid()))
        # Under a name of its own until the marker is in: nobody meets a folder without one.
        made = tempfile.mkdtemp(prefix=".exportdb-")
        try:
            Path(made, MARKER).write_text(owner, encoding="utf-8")
            self.path: Final = os.path.join(os.path.dirname(made), PREFIX + secrets.token_hex(6))
            os.rename(made, self.path)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
        self.name: Final = os.path.basename(self.path)

    def close(self) -> None:
        """Take it away. A second call does nothing."""
        _remove(self.path)


def sweep() -> None:
    """Take away what dead processes left, in a thread of its own: nobody waits for it."""
    threading.Thread(target=sweep_now, name="sweep", daemon=True).start()


def sweep_now() -> list[str]:
    """Take away what dead processes left; the folders."""
    left = list(_left(tempfile.gettempdir())) if hasattr(os, "getuid") else []
    for path in left:
        _remove(path)
    return left


def _left(folder: str) -> Iterator[str]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(PREFIX):
                continue
            with suppress(OSError, ValueError, RecursionError):
                status = os.lstat(entry.path)
                if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
                    continue
                owner = json.loads(read_bytes(os.path.join(entry.path, MARKER), LARGEST_MARKER))
                if isinstance(owner, dict) and _is_dead(owner):  # pyright: ignore[reportUnknownArgumentType]
                    yield entry.path


def _remove(path: str) -> None:
    for pid in _processes_of(os.path.basename(path)):
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    # The marker goes last: what cannot be taken away now is found again.
    for _ in range(2):
        with suppress(OSError), os.scandir(path) as entries:
            for entry in entries:
                if entry.name != MARKER:
                    _delete(entry)
    shutil.rmtree(path, ignore_errors=True)


def _delete(entry: os.DirEntry[str]) -> None:
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        with suppress(OSError):
            os.unlink(entry.path)


def _processes_of(name: str) -> Iterator[int]:
    """The processes, but for this one, that were started on behalf of a folder."""
    wanted = f"{VARIABLE}={name}".encode()
    with suppress(OSError), os.scandir("/proc") as entries:
        for entry in entries:
            if entry.name.isdecimal() and int(entry.name) != os.getpid():
                with suppress(OSError), open(f"{entry.path}/environ", "rb") as file:
                    if wanted in file.read(LARGEST_ENVIRONMENT).split(b"\0"):
                        yield int(entry.name)


def _identity(pid: int) -> dict[str, str | int]:
    """What tells a process from another one that had, or will have, the same number."""
    return {"pid": pid, "start": _start_of(pid), "machine": platform.node(), **_boot()}


def _is_dead(owner: dict[str, Any]) -> bool:
    """Whether the process of a marker is gone for sure. What other machines and containers run cannot be known here."""
    here = _identity(os.getpid())
    same_run = owner.get("boot") == here["boot"]
    if owner.get("processes") != here["processes"] or not (same_run or owner.get("machine") == here["machine"]):
        return False
    pid = owner.get("pid")
    if not isinstance(pid, int) or isinstance(pid, bool) or not 0 < pid < 2**31:
        return False
    return not same_run or _start_of(pid) != owner.get("start")


def _boot() -> dict[str, str]:
    """This run of the system, and whose process numbers count: each container has its own."""
    boot = names = ""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        names = os.readlink("/proc/self/ns/pid")
    return {"boot": boot, "processes": names}


def _start_of(pid: int) -> str:
    """When a process was started, in the system's own words; '' if there is none of that number."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, IndexError):
            # The name of the program, in brackets, can hold anything.
            return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[19].decode()
        return ""
    with suppress(OSError, subprocess.SubprocessError):
        shown = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, timeout=5, check=False, text=True
        )
        return shown.stdout.strip()
    return ""
