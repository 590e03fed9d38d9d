"""The texts of files that are not open, as the disk has them: each is read again only when it has changed."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from exportdb_lsp.lsp.documents import digest
from exportdb_lsp.lsp.positions import LineIndex

# So many texts are kept; those that were asked for last.
MAX_KEPT: Final = 256
# A file that was written so recently, in nanoseconds, may be written once more without its times telling.
_SETTLED: Final = 2_000_000_000


Signature = tuple[int, int, int]
"""What tells one content of a file from another, without reading it."""


@dataclass(frozen=True)
class _File:
    """A text, and what the file was like when it was read."""

    signature: Signature
    lines: LineIndex

    @cached_property
    def digest(self) -> str:
        return digest(self.lines.text)


class FileReader:
    """Reads files for the event loop, which asks for the same few again and again."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}

    def lines(self, filename: str) -> LineIndex | None:
        """The lines of a file; None where there is none that is Python."""
        file = self._file(filename)
        return None if file is None else file.lines

    def digest(self, filename: str) -> str | None:
        """The digest of a file's text; None where there is none that is Python."""
        file = self._file(filename)
        return None if file is None else file.digest

    def signature(self, filename: str) -> Signature | None:
        """By what to know a file's content again; None of one that is not there, or that was written only just now."""
        signature = _signature(filename)
        return signature if signature is not None and _settled(signature) else None

    def _file(self, filename: str) -> _File | None:
        known = self._files.pop(filename, None)
        signature = _signature(filename)
        if signature is None:
            return None
        if known is None or known.signature != signature:
            text = read(filename)
            if text is None:
                return None
            known = _File(signature, LineIndex(text))
        if _settled(signature):
            self._files[filename] = known
            if len(self._files) > MAX_KEPT:
                del self._files[next(iter(self._files))]
        return known


def _signature(filename: str) -> Signature | None:
    try:
        status = os.stat(filename)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _settled(signature: Signature) -> bool:
    return time.time_ns() - signature[0] > _SETTLED


def read(filename: str) -> str | None:
    """The text of a file on disk; None where there is none that is Python."""
    from exportdb_rules.source import read as read_source

    try:
        return read_source(Path(filename))
    except (OSError, SyntaxError, ValueError):
        return None
