"""Which files a path stands for: folders are walked, honouring .gitignore."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exportdb_rules.disk import read_text
from exportdb_rules.finding import Problem
from pathspec import GitIgnoreSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Exclude = Callable[[Path], tuple[Path, Sequence[str]]]

SUFFIXES: Final = (".py",)
# Never anybody's model code. `site-packages` is left out only below a folder that was asked for, not as that folder.
ALWAYS_SKIPPED: Final = frozenset(
    {
        ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pytest_cache",
        ".ruff_cache", ".svn", ".tox", ".venv", "__pycache__", "__pypackages__", "node_modules", "site-packages",
        "venv",
    }
)  # fmt: skip


# What Emacs puts before the name of a file that is being edited, as a link to nowhere.
LOCK: Final = ".#"


@dataclass(frozen=True, slots=True)
class _Ignore:
    """The patterns of one folder. They speak of paths relative to it."""

    folder: Path
    patterns: GitIgnoreSpec

    def decides(self, path: Path, is_folder: bool) -> bool | None:
        """True: ignored. False: taken in again by `!`. None: no pattern speaks of it."""
        try:
            relative = path.relative_to(self.folder).as_posix()
        except ValueError:
            return None
        return self.patterns.check_file(relative + "/" if is_folder else relative).include


def find_files(
    paths: Sequence[str | os.PathLike[str]],
    problems: list[Problem],
    exclude: Exclude | None = None,
    suffixes: tuple[str, ...] = SUFFIXES,
) -> list[Path]:
    """The Python files that the paths stand for, absolute, each once, in the order in which they were found.

    A file that is named is always taken. A folder is walked: what its .gitignore files (and those above it, up to
    the root of the repository) leave out is left out, unless the folder itself is left out by one of those above:
    then it was asked for by name. Links to folders are not followed.

    Args:
        paths: files and folders.
        problems: what could not be read is added here.
        exclude: gives, for a folder that was named, its project's root and the patterns of the project's `exclude`.
        suffixes: what the names of the files of a folder end in.
    """
    found: dict[Path, None] = {}
    for given in paths:
        path = Path(os.path.abspath(given))
        try:
            is_folder = stat.S_ISDIR(path.stat().st_mode)
        except FileNotFoundError:
            problems.append(Problem(os.fspath(given), "no such file or directory"))
        except (OSError, ValueError) as error:
            problems.append(Problem(os.fspath(given), f"cannot be read: {_reason(error)}"))
        else:
            found.update(dict.fromkeys(_walk(path, problems, exclude, suffixes)) if is_folder else {path: None})
    return list(found)


def _reason(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _walk(top: Path, problems: list[Problem], exclude: Exclude | None, suffixes: tuple[str, ...]) -> Iterator[Path]:
    ignores = _above(top, problems)
    if _ignored(top, True, ignores):
        ignores = []
    excluded = _ignore(*exclude(top)) if exclude is not None else None
    yield from _walk_folder(top, ignores, excluded, problems, suffixes)


def _walk_folder(
    folder: Path,
    ignores: list[_Ignore],
    excluded: _Ignore | None,
    problems: list[Problem],
    suffixes: tuple[str, ...],
) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        problems.append(Problem(str(folder), f"cannot be read: {error.strerror}"))
        return
    own = _read_ignore(folder / ".gitignore", folder, problems)
    if own is not None:
        ignores = [*ignores, own]
    folders: list[Path] = []
    for entry in entries:
        path = Path(entry.path)
        if excluded is not None and excluded.decides(path, entry.is_dir(follow_symlinks=False)):
            continue
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in ALWAYS_SKIPPED and not _ignored(path, True, ignores):
                folders.append(path)
        elif entry.name.endswith(suffixes) and not _ignored(path, False, ignores):
            if _is_file(entry):
                yield path
            elif not entry.name.startswith(LOCK) and not os.path.isdir(path):
                problems.append(Problem(str(path), _no_file(path), note=True))
    for path in folders:
        yield from _walk_folder(path, ignores, excluded, problems, suffixes)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link to itself
        return False


def _no_file(path: Path) -> str:
    """What that is which has the name of a file, and is none."""
    try:
        path.stat()
    except FileNotFoundError:
        return f"not checked: a broken symbolic link to {os.readlink(path)}"
    except OSError as error:
        return f"not checked: {error.strerror}"
    return "not checked: not a regular file"


def _above(top: Path, problems: list[Problem]) -> list[_Ignore]:
    """The .gitignore files from the root of the repository down to, not including, `top`."""
    ignores: list[_Ignore] = []
    repository = next((folder for folder in (top, *top.parents) if (folder / ".git").exists()), None)
    if repository is None:
        return ignores
    above = [folder for folder in reversed(top.parents) if folder.is_relative_to(repository)]
    files = [(repository / ".git" / "info" / "exclude", repository), *((f / ".gitignore", f) for f in above)]
    for file, folder in files:
        found = _read_ignore(file, folder, problems)
        if found is not None:
            ignores.append(found)
    return ignores


def _read_ignore(path: Path, folder: Path, problems: list[Problem]) -> _Ignore | None:
    try:
        text = read_text(path)
    except OSError as error:
        # git passes over a folder of that name; `.git` may be a file, which has nothing below it.
        if os.path.lexists(path) and not os.path.isdir(path):
            problems.append(Problem(str(path), f"its patterns are ignored: {error.strerror}", note=True))
        return None
    return _ignore(folder, text.splitlines())


def _ignore(folder: Path, patterns: Iterable[str]) -> _Ignore | None:
    lines = [line for line in patterns if _valid(line)]
    return _Ignore(folder, GitIgnoreSpec.from_lines(lines)) if lines else None


def _valid(line: str) -> bool:
    # git passes over a pattern that it cannot read, pathspec refuses the whole file for it.
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _ignored(path: Path, is_folder: bool, ignores: list[_Ignore]) -> bool:
    """Whether git would leave the path out: the deepest .gitignore that speaks of it decides."""
    for ignore in reversed(ignores):
        decided = ignore.decides(path, is_folder)
        if decided is not None:
            return decided
    return False
