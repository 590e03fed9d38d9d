"""Where results are kept between runs: one file a project and settings, in the user's cache folder.

Everything here is a convenience: whatever goes wrong with it, a run does its work as if nothing had been kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import exportdb_cases
import exportdb_rules
from exportdb_rules.disk import LARGEST_KEPT, read_bytes

import exportdb_lsp
from exportdb_lsp.checking.result_cache import ResultCache
from exportdb_lsp.files.rewriting import replace_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_lsp.checking.plan import ProjectFiles

FORMAT: Final = 1
# When the folder holds more than this, in bytes, what was not used for the longest time goes, down to three quarters.
MAX_KEPT: Final = 200_000_000
# A file that is written takes its name within seconds; one that never did belongs to a process that was killed.
ABANDONED: Final = 3600


class CacheStore:
    """The results of earlier runs."""

    def __init__(self, folder: Path, most: int = MAX_KEPT) -> None:
        self._folder = folder
        self._most = most

    @classmethod
    def of_user(cls) -> CacheStore:
        """The store in the user's cache folder: `$XDG_CACHE_HOME/exportdb-lsp` or what the system has for it."""
        from platformdirs import user_cache_dir

        return cls(Path(user_cache_dir("exportdb-lsp", appauthor=False)) / "check")

    def open(self, group: ProjectFiles) -> ResultCache:
        """What is known of a project under its settings; an empty cache where that is nothing, or cannot be read."""
        path, key = self._path(group)
        try:
            mark, _, body = read_bytes(path, LARGEST_KEPT).partition(b"\n")
            if mark.decode("ascii") == _mark(body):
                content: object = json.loads(body)
                if isinstance(content, dict) and cast("dict[str, Any]", content).get("key") == key:
                    return ResultCache(group.root, group.settings.packages, cast("dict[str, Any]", content))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            pass
        return ResultCache(group.root, group.settings.packages)

    def save(self, group: ProjectFiles, cache: ResultCache) -> None:
        """Keep a cache for the next run. Says nothing where that cannot be done: nothing was lost."""
        path, key = self._path(group)
        with contextlib.suppress(OSError):
            if not cache.changed:
                os.utime(path)
                return
            body = json.dumps({"key": key, **cache.content()}, separators=(",", ":"), ensure_ascii=True).encode()
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_atomically(path, _mark(body).encode() + b"\n" + body)
            self._prune(path)

    def _path(self, group: ProjectFiles) -> tuple[Path, list[Any]]:
        settings = group.settings
        key = [
            FORMAT,
            program_digest(),
            str(group.root),
            settings.torch_version,
            [mode.value for mode in settings.modes],
            settings.assume_dynamic,
            list(settings.select),
            list(settings.ignore),
            settings.min_confidence.value,
            list(settings.packages),
            list(settings.to),
            [repr(one) for one in (*settings.declared, *settings.targets)],
        ]
        name = hashlib.blake2b(json.dumps(key).encode(), digest_size=16).hexdigest()
        return self._folder / f"{name}.json", key

    def _prune(self, kept: Path) -> None:
        """Keep the folder below its bound, and free of what killed processes left behind."""
        sizes: list[tuple[float, int, Path]] = []
        for entry in os.scandir(self._folder):
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if entry.name.endswith(".tmp"):
                    if time.time() - status.st_mtime > ABANDONED:
                        os.unlink(entry.path)
                elif entry.name.endswith(".json"):
                    sizes.append((status.st_mtime, status.st_size, Path(entry.path)))
        total = sum(size for _, size, _ in sizes)
        if total <= self._most:
            return
        for _, size, path in sorted(sizes):
            if total <= self._most * 3 // 4:
                break
            if path != kept:
                with contextlib.suppress(OSError):
                    path.unlink()
                    total -= size


def _mark(body: bytes) -> str:
    """What stands before the content of a file, and tells a whole one from a damaged one."""
    return hashlib.blake2b(body, digest_size=16).hexdigest()


@cache
def program_digest() -> str:
    """What tells one state of the analyser from another: its files and tables, the Python and the libcst it runs on.

    The version alone would not do for those who work on the rules.
    """
    found = hashlib.blake2b(digest_size=16)
    try:
        rewriter = version("libcst")
    except PackageNotFoundError:
        rewriter = ""
    runs_on = (platform.python_implementation(), platform.python_version(), rewriter)
    found.update(repr((exportdb_lsp.__version__, *runs_on)).encode())
    for path in _parts():
        data = path.read_bytes()
        found.update(f"{path.name} {len(data)}\n".encode())
        found.update(data)
    return found.hexdigest()


def _parts() -> Iterator[Path]:
    """The files that results depend on."""
    rules, cases = (Path(package.__file__ or "").parent for package in (exportdb_rules, exportdb_cases))
    yield from sorted(path for path in rules.rglob("*") if path.suffix in (".py", ".json"))
    yield from sorted(cases.glob("*.py"))
    yield from sorted((cases / "support").glob("*.json"))
    yield from sorted(Path(__file__).parent.glob("*.py"))
