"""What a file was like when an answer was found that rests on it, and whether it still is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from exportdb_rules.disk import read_bytes
from exportdb_rules.names import NamesKept
from exportdb_rules.project import STARS, Project, candidates, digest_of, import_root

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class FileState:
    """A file: its content, where it is imported from, and where the modules were found that were looked for from it.

    `lookups` has the names that were looked for and the files that they were found in, None for those that are no
    files of the project. Of where a file gets a name by `from … import *` there is the digest alone. A file that
    comes into being where one was looked for in vain changes an answer as much as one that changes.
    """

    digest: str
    folder: str
    name: str
    is_package: bool
    lookups: Mapping[str, str | None]

    @classmethod
    def of_json(cls, value: Any) -> FileState:
        """What `ResultCache.content` writes of a file. Raises TypeError or ValueError where it is something else."""
        digest, folder, name, is_package, lookups = value
        found = cast("dict[str, Any]", lookups)
        if not (
            isinstance(lookups, dict)
            and all(isinstance(text, str) for text in (digest, folder, name, *found))
            and isinstance(is_package, bool)
            and all(target is None or isinstance(target, str) for target in found.values())
        ):
            raise TypeError("not what was known of a file")
        return cls(digest, folder, name, is_package, found)

    @classmethod
    def table(cls, project: Project, filenames: Iterable[str]) -> dict[str, FileState | None]:
        """The files as the project read them. None where one could not be read, or was not read from the disk."""
        found: dict[str, FileState | None] = {}
        for filename in filenames:
            if filename.startswith(STARS):
                found[filename] = cls(project.star_digest(filename), "", "", False, {})
            elif filename not in found:
                module = project.module(filename)
                if module is None or not module.digest:
                    found[filename] = None
                else:
                    folder, name, is_package = project.place(filename)
                    found[filename] = cls(module.digest, str(folder), name, is_package, module.lookups)
        return found

    def joined(self, other: FileState) -> FileState | None:
        """What two processes know of the same file; None if they do not agree: it was changed between their looks."""
        mine = (self.digest, self.folder, self.name, self.is_package)
        if mine != (other.digest, other.folder, other.name, other.is_package):
            return None
        if any(other.lookups[name] != self.lookups[name] for name in other.lookups.keys() & self.lookups.keys()):
            return None
        return FileState(*mine, {**self.lookups, **other.lookups})


class FileStates:
    """Whether files still are what they were; each is looked at once."""

    def __init__(self, root: Path, packages: Sequence[str] = (), names: NamesKept | None = None) -> None:
        """`names` is what earlier runs read of what the files bind."""
        self._root = root
        self._packages = packages
        self._project = Project(root)
        self._project.look_in(tuple(packages))
        self._project.names_kept = names or NamesKept()
        self._digests: dict[str, str | None] = {}
        self._rows: dict[str, int] = {}
        self._lookups: dict[tuple[str, str], str | None] = {}

    def holds(self, filename: str, state: FileState) -> bool:
        """Whether a file is what it was, or gets a name by `from … import *` where it did."""
        if filename.startswith(STARS):
            return self._project.star_digest(filename) == state.digest
        if self._digest(filename) != state.digest:
            return False
        folder, name, is_package = import_root(Path(filename))
        if (str(folder), name, is_package) != (state.folder, state.name, state.is_package):
            return False
        return all(self._found(state.folder, name) == target for name, target in state.lookups.items())

    def rows(self, filename: str) -> int:
        """No text of a file has more rows; 0 of one that cannot be read."""
        return self._rows.get(filename, 0) if self._digest(filename) is not None else 0

    def _digest(self, filename: str) -> str | None:
        if filename not in self._digests:
            try:
                content = read_bytes(filename)
            except (OSError, ValueError):
                self._digests[filename] = None
            else:
                self._digests[filename] = digest_of(content)
                self._rows[filename] = 1 + content.count(b"\n") + content.count(b"\r")
        return self._digests[filename]

    def _found(self, folder: str, name: str) -> str | None:
        key = (folder, name)
        if key not in self._lookups:
            places = candidates(name, Path(folder), self._root, self._packages)
            self._lookups[key] = next((place for place in places if os.path.isfile(place)), None)
        return self._lookups[key]
