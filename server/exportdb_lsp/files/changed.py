"""Which files changed since a commit, as git says. The only place that starts git, and only when somebody asks for it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_lsp.files.rewriting import FileError

if TYPE_CHECKING:
    from collections.abc import Iterable

# What a repository's configuration could have git start is not started.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks")


def changed_since(reference: str, places: Iterable[Path]) -> frozenset[str]:
    """The files of the repositories around some files and folders that differ from where HEAD left a branch, tag or commit:
    committed, staged, edited and new ones, by their real paths.

    Raises:
        FileError: git is not there, a place is in no repository, or there is no such reference.
    """
    found: set[str] = set()
    roots: set[str] = set()
    for place in places:
        folder = place if place.is_dir() else place.parent
        roots.add(_git(folder, "rev-parse", "--show-toplevel").rstrip("\n"))
    for root in roots:
        top = Path(root)
        commit = _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}").strip()
        base = _git(top, "merge-base", commit, "HEAD").strip()
        differing = _git(top, "diff", "--name-only", "-z", "--no-ext-diff", "--diff-filter=d", base, "--")
        new = _git(top, "ls-files", "--others", "--exclude-standard", "-z")
        found.update(os.path.realpath(top / name) for name in (differing + new).split("\0") if name)
    return frozenset(found)


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            [*_GIT, *arguments], cwd=folder, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"}
        )
    except OSError as error:
        raise FileError(f"git cannot be started: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise FileError(
            said.removeprefix("fatal: ") or "no such branch, tag or commit, or the repository has no commits"
        )
    return os.fsdecode(done.stdout)
