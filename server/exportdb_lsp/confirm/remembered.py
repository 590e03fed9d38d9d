"""What is remembered of source files between runs: one JSON file each, in the user's cache folder.

Everything here is a convenience: whatever goes wrong with it, work goes on as if nothing had been kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules.disk import read_bytes

from exportdb_lsp.files.rewriting import replace_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Of the files that are looked at, and the size in bytes of one that is read.
MAX_FILES: Final = 500
MAX_BYTES: Final = 1_000_000


class Memory:
    """Lists of JSON objects, by source file.

    Args:
        name: of the folder.
        key: under which an object of this list stands.
        version: of the format; what is of another one is passed over.
        most: objects of one file; the first ones are kept.
    """

    def __init__(self, name: str, key: str, version: int, most: int) -> None:
        self._name = name
        self._key = key
        self._version = version
        self._most = most

    def folder(self) -> Path:
        """Where they are kept."""
        from platformdirs import user_cache_dir

        return Path(user_cache_dir("exportdb-lsp", appauthor=False)) / self._name

    def read(self, filename: str) -> list[dict[str, Any]]:
        """What is remembered of a file."""
        entries = self._content(self._path(filename)).get(self._key)
        if not isinstance(entries, list):
            return []
        return [cast("dict[str, Any]", one) for one in cast("list[object]", entries) if isinstance(one, dict)]

    def write(self, filename: str, entries: Sequence[dict[str, Any]]) -> None:
        """Remember this of a file, and nothing else."""
        content = {"format": self._version, "filename": filename, self._key: list(entries)[: self._most]}
        with contextlib.suppress(OSError):
            self.folder().mkdir(parents=True, exist_ok=True)
            replace_atomically(self._path(filename), json.dumps(content).encode())

    def filenames(self, root: Path) -> Iterator[str]:
        """The files below a folder of which something is remembered."""
        inside = str(root) + os.sep
        try:
            entries = sorted(entry.path for entry in os.scandir(self.folder()) if entry.name.endswith(".json"))
        except OSError:
            return
        for path in entries[:MAX_FILES]:
            filename = self._content(Path(path)).get("filename")
            if isinstance(filename, str) and filename.startswith(inside):
                yield filename

    def _path(self, filename: str) -> Path:
        return self.folder() / (hashlib.sha256(filename.encode()).hexdigest()[:32] + ".json")

    def _content(self, path: Path) -> dict[str, Any]:
        try:
            content: object = json.loads(read_bytes(path, MAX_BYTES))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(content, dict):
            return {}
        table = cast("dict[str, Any]", content)
        return table if table.get("format") == self._version else {}
