"""Finding, weighing and ending processes, without any package but the standard library."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator

LINUX = sys.platform.startswith("linux")
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def prctl(option: int, value: int) -> bool:
    """One call of Linux's prctl; False where there is none."""
    if not LINUX:
        return False
    try:
        import ctypes

        return ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0
    except (OSError, AttributeError, ImportError):
        return False


def _children_of(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                children += [int(word) for word in file.read().split()]
    except OSError:
        pass
    return children


def _table() -> dict[int, list[int]]:
    """Children by parent, from `ps`: for systems without /proc."""
    table: dict[int, list[int]] = {}
    try:
        listing = subprocess.run(
            ["ps", "-axo", "pid=,ppid="], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=5, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return table
    for line in listing.stdout.split(b"\n"):
        words = line.split()
        if len(words) == 2:
            table.setdefault(int(words[1]), []).append(int(words[0]))
    return table


def descendants(pid: int) -> set[int]:
    """Every process below `pid` that can be found now."""
    found: set[int] = set()
    if os.name == "nt":
        return found
    table = None if LINUX else _table()
    pending = [pid]
    while pending:
        parent = pending.pop()
        for child in _children_of(parent) if table is None else table.get(parent, []):
            if child not in found:
                found.add(child)
                pending.append(child)
    return found


def own_memory(pid: int) -> int:
    """Bytes of memory that belong to the process itself, file mappings left out; 0 if it cannot be told."""
    if LINUX:
        return _bytes_of(f"/proc/{pid}/status", b"RssAnon:", b"RssShmem:")
    if os.name == "nt":
        return 0
    try:
        shown = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=5,
            check=False,
        )
        return int(shown.stdout) * 1024
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0


def fair_memory(pid: int) -> int:
    """Like `own_memory`, but pages that several processes share since a fork are divided among them.

    Dear: the kernel walks every page. Where it cannot be had, `own_memory` stands in.
    """
    return _bytes_of(f"/proc/{pid}/smaps_rollup", b"Pss_Anon:", b"Pss_Shmem:") or own_memory(pid)


def unseen_memory(pids: Iterable[int]) -> int:
    """Bytes of memory files (`memfd_create`, /dev/shm) that processes hold open and have not mapped, which `own_memory`
    leaves out; 0 where that is unknown (elsewhere than on Linux).

    A file on /dev/shm that was closed and not removed belongs to nobody that can be found.
    """
    sizes: dict[tuple[int, int], int] = {}
    mapped = 0
    for pid in pids if LINUX else ():
        found = dict(_memory_files(pid))
        if found:
            mapped += _bytes_of(f"/proc/{pid}/status", b"RssShmem:")
            sizes.update(found)
    # What is mapped is counted already; of several that share it, once for each.
    return max(0, sum(sizes.values()) - mapped)


def _memory_files(pid: int) -> Iterator[tuple[tuple[int, int], int]]:
    folder = f"/proc/{pid}/fd"
    try:
        descriptors = os.listdir(folder)
    except OSError:
        return
    for descriptor in descriptors:
        path = f"{folder}/{descriptor}"
        try:
            if os.readlink(path).startswith(("/memfd:", "/dev/shm/")):
                status = os.stat(path)
                yield (status.st_dev, status.st_ino), status.st_blocks * 512
        except OSError:  # it was closed meanwhile
            continue


class Scratch:
    """How much lies in a folder. Looked at anew no more often than costs a twentieth of the time."""

    MOST = 50_000
    """Files that are looked at; what lies behind them is not counted."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._size = 0
        self._next = 0.0

    def size(self) -> int:
        """In bytes that are really occupied; files with several names count for each."""
        began = time.monotonic()
        if began >= self._next:
            self._size = self._measure()
            ended = time.monotonic()
            self._next = ended + 20 * (ended - began)
        return self._size

    def _measure(self) -> int:
        size, left, folders = 0, self.MOST, [self._path]
        while folders and left:
            try:
                with os.scandir(folders.pop()) as entries:
                    for entry in entries:
                        left -= 1
                        if not left:
                            break
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
                        else:
                            size += getattr(entry.stat(follow_symlinks=False), "st_blocks", 0) * 512
            except OSError:  # it went meanwhile, or is not to be read
                continue
        return size


def _bytes_of(path: str, *fields: bytes) -> int:
    """The sum of fields of a file of the kernel, which counts in kibibytes; 0 if it cannot be read."""
    total = 0
    try:
        with open(path, "rb") as file:
            for line in file:
                if line.startswith(fields):
                    total += int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        return 0
    return total


def _signal(pid: int, group: bool) -> None:
    try:
        if group:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)
    except (OSError, PermissionError):
        pass


def end_tree(pid: int) -> int | None:
    """Ends `pid`, its session, and whatever it left behind; returns its wait status, None where that is unknown.

    A process that called setsid and lost its parent hangs below us, because the worker is a sub-reaper: so after
    the child every process that is still below this one is the child's. Repeated until none is left, since a process
    may start another one while the first is being killed.
    """
    if os.name == "nt":
        subprocess.run(
            ["taskkill", "/F", "/T", "/PID", str(pid)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return None
    below = descendants(pid)
    _signal(pid, group=True)
    _signal(pid, group=False)
    for process in below:
        _signal(process, group=False)
    status = None
    give_up = time.monotonic() + 10
    while time.monotonic() < give_up:
        try:
            reaped, state = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if reaped == pid:
            status = state
        if reaped == 0:
            for process in descendants(os.getpid()):
                _signal(process, group=False)
            time.sleep(0.002)
    return status
