"""Which files of a project import a file: through their entries its functions are reached.

Imports are read off the text, line by line, without parsing: the index answers while somebody types. It is kept by
module, so that a question costs what its answer is long, however many files are known.
"""

from __future__ import annotations

import heapq
import os
import re
from bisect import bisect_left, insort
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exportdb_rules.disk import import_root
from exportdb_rules.source import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from exportdb_rules.project import Project
    from exportdb_rules.report import Report

# A tree with more files than this is not searched: who checks it as a whole sees all its entries anyway.
MAX_FILES: Final = 400
# How many files that reach a file are followed.
MAX_IMPORTERS: Final = 12
# Up to so many files given by name, the project is searched for the files that import them.
MAX_LOOKED_UP: Final = 8
_SKIPPED: Final = frozenset({"node_modules", "site-packages", "__pycache__", "build", "dist", "venv"})
_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*|[^\n#]*)|import[ \t]+([^\n#]+))", re.MULTILINE
)
_NAME: Final = re.compile(r"\w+")


def reaching_files(project: Project, filenames: Sequence[str]) -> tuple[str, ...]:
    """The other files of the project whose entries may reach these, as far as they are looked for: who asks for a few
    files wants to know; who asks for many asks for the project as a whole."""
    if len(filenames) > MAX_LOOKED_UP:
        return ()
    given = set(filenames)
    return tuple(dict.fromkeys(name for file in filenames for name in importers(project, file) if name not in given))


def importers(project: Project, filename: str) -> tuple[str, ...]:
    """The files that import a file, directly or through others, those nearest to it first."""
    path = Path(filename)
    base, name, _ = import_root(path)
    if not path.parent.is_dir():
        return ()
    index = project.importers
    tree = index.tree(project.root, base, path.parent)
    index.update(project)
    found: dict[str, None] = {}
    wanted = {name}
    while wanted:
        nearer: set[str] = set()
        for file in index.of(wanted):
            known = file in tree or (project.text(file) is not None and Path(file).is_relative_to(base))
            if file == filename or file in found or not known:
                continue
            if len(found) == MAX_IMPORTERS:
                return tuple(found)
            found[file] = None
            nearer.add(import_root(Path(file))[1])
        wanted = nearer
    return tuple(found)


def callers(project: Project, report: Report) -> tuple[str, ...]:
    """The files whose entries say what the expressions of a file may be: those that import it, and, where there are too many
    files to look for all of these, those whose entries came to what may be mended in it."""
    nearest = importers(project, report.filename)
    return (*nearest, *[name for name in report.found_by if name not in nearest][:MAX_IMPORTERS])


class Importers:
    """The files of the trees that were asked about, the open ones, and which modules each of them imports."""

    def __init__(self) -> None:
        self._trees: dict[str, frozenset[str] | None] = {}
        """By the folder that a tree is imported from; None where it has too many files."""
        self._imports: dict[str, frozenset[str]] = {}
        self._by_module: dict[str, list[tuple[_Order, str]]] = {}
        """The same the other way round, in the order in which a walk comes to the files."""
        self._unread: set[str] = set()
        self._on_disk: dict[str, bool] = {}
        """Whether there was a file of that name when it changed last: an edit of an open text walks no tree again."""

    def copy(self) -> Importers:
        """One that knows the same, and learns for itself from now on."""
        other = Importers()
        other._trees = dict(self._trees)
        other._imports = dict(self._imports)
        other._by_module = {module: list(entries) for module, entries in self._by_module.items()}
        other._unread = set(self._unread)
        other._on_disk = dict(self._on_disk)
        return other

    def changed(self, filename: str, *, on_disk: bool) -> None:
        """A file came, went or has another text; `on_disk` says whether there is one of that name."""
        self._unread.add(filename)
        if self._on_disk.get(filename) is on_disk:
            return
        self._on_disk[filename] = on_disk
        for base, tree in list(self._trees.items()):
            stale = not on_disk if tree is None else (filename in tree) is not on_disk
            if stale and filename.startswith(base):
                del self._trees[base]

    def tree(self, root: Path | None, base: Path, folder: Path) -> frozenset[str]:
        """The files on the disk that may import one of `folder`: of that folder if it is in no package, of the tree
        otherwise; none where they are too many."""
        key = str(base)
        if key not in self._trees:
            whole = root is not None or base != folder
            files = _walk(base, whole=whole)
            self._trees[key] = files
            self._unread.update(name for name in files or () if name not in self._imports)
        return self._trees[key] or frozenset()

    def update(self, project: Project) -> None:
        """Read what changed since the last question."""
        unread, self._unread = self._unread, set()
        for filename in unread:
            before = self._imports.pop(filename, frozenset())
            known = project.text(filename) is not None or any(filename in (tree or ()) for tree in self._trees.values())
            now = _read_imports(project, filename) if known else frozenset[str]()
            if known:
                self._imports[filename] = now
            entry = (_order(filename), filename)
            for module in before - now:
                entries = self._by_module[module]
                del entries[bisect_left(entries, entry)]
                if not entries:
                    del self._by_module[module]
            for module in now - before:
                insort(self._by_module.setdefault(module, []), entry)

    def of(self, modules: Iterable[str]) -> Iterator[str]:
        """The files that import one of these modules, each once."""
        entries = [self._by_module[module] for module in sorted(modules) if module in self._by_module]
        return (filename for (_, filename), _ in groupby(heapq.merge(*entries)))


def imported_files(project: Project, filename: str, most: int) -> tuple[str, ...]:
    """The project's files that a file imports, directly or through others, the nearest first; at most so many."""
    found: dict[str, None] = {}
    waiting = [filename]
    while waiting and len(found) < most:
        module = project.module(waiting.pop(0))
        if module is None:
            continue
        for name in sorted(_read_imports(project, module.filename)):
            target = project.find_module(name, module)
            if target is not None and target.filename not in found and target.filename != filename:
                found[target.filename] = None
                waiting.append(target.filename)
    return tuple(found)[:most]


_Order = tuple[tuple[int, str], ...]


def _order(filename: str) -> _Order:
    """Sorted by this, the files of a folder come before its folders."""
    *folders, name = Path(filename).parts
    return (*((1, folder) for folder in folders), (0, name))


def _walk(base: Path, *, whole: bool) -> frozenset[str] | None:
    found: set[str] = set()
    for place, folders, names in os.walk(base):
        folders[:] = sorted(f for f in folders if whole and not f.startswith(".") and f not in _SKIPPED)
        found.update(os.path.join(place, n) for n in names if n.endswith(".py"))
        if len(found) > MAX_FILES:
            return None
    return frozenset(found)


def _import_lines(text: str) -> Iterator[re.Match[str]]:
    """The imports of a text. The word is looked for ten times as fast as the rows that may begin with one."""
    at = text.find("import")
    while at >= 0:
        match = _IMPORT.match(text, text.rfind("\n", 0, at) + 1)
        if match is not None:
            yield match
        at = text.find("import", max(at + 1, 0 if match is None else match.end()))


def _read_imports(project: Project, filename: str) -> frozenset[str]:
    text = project.text(filename)
    if text is None:
        try:
            text = read(Path(filename))
        except (OSError, SyntaxError, ValueError):
            return frozenset()
    _, own, is_package = import_root(Path(filename))
    found: set[str] = set()
    for match in _import_lines(text):
        source, names, plain = match.groups()
        if plain is not None:
            found.update(part.split()[0] for part in plain.split(",") if part.split())
            continue
        dots = len(source) - len(source.lstrip("."))
        if dots:
            parts = own.split(".")
            kept = parts[: max(len(parts) - dots + is_package, 0)]
            source = ".".join([*kept, *([source[dots:]] if source[dots:] else [])])
        found.add(source)
        found.update(f"{source}.{name}" for name in _NAME.findall(names))
    return frozenset(found)
