"""Reading files that may be anything: whoever made a folder chose what lies in it under the name of a Python file."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

# In bytes. Ten times the largest modules that people write or generate; the tree of one this large takes a gigabyte.
LARGEST: Final = 8 * 1024 * 1024

# In bytes, of what this program wrote itself: results that it keeps, baselines.
LARGEST_KEPT: Final = 512 * 1024 * 1024

_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def read_bytes(path: Path | str, most: int = LARGEST) -> bytes:
    """The content of a regular file, or of one that a link leads to. Nothing is waited for.

    Args:
        most: the bytes that it may have.

    Raises:
        OSError: it cannot be read, is no regular file (a pipe, a device, a socket, a folder), or is too large.
    """
    # A look first: some devices do something when they are opened, and a pipe tells its other end.
    _must_be_regular(os.stat(path))
    handle = os.open(path, _FLAGS)
    with open(handle, "rb", closefd=True) as file:
        status = os.fstat(handle)
        _must_be_regular(status)
        # Files that are made up while they are read (/proc) say that they are empty.
        data = file.read(most + 1) if status.st_size <= most else b""
    if status.st_size > most or len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {_megabytes(most)}")
    return data


def read_text(path: Path | str) -> str:
    """The text of a regular file, in UTF-8; what is not is replaced. Raises what `read_bytes` raises."""
    return read_bytes(path).decode("utf-8", errors="replace")


def _must_be_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")


def _megabytes(size: int) -> str:
    return f"{size / 2**20:g} MiB"


def _is_package(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, "__init__.py"))


def import_root(path: Path) -> tuple[Path, str, bool]:
    """The folder that a file is imported from, its dotted name below it, and whether it is a package's `__init__`.

    A folder without one in a package is part of it.
    """
    is_package = path.name == "__init__.py"
    parts = [] if is_package else [path.stem]
    folder = os.path.dirname(path)  # thousands of paths are asked for, and objects for all above them take longest
    inside = _is_package(folder)
    while (above := os.path.dirname(folder)) != folder:
        outside = _is_package(above)
        if not (inside or outside):
            break
        parts.append(os.path.basename(folder))
        folder, inside = above, outside
    return Path(folder), ".".join(reversed(parts)) or path.stem, is_package
