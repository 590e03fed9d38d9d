"""Which files of a project import a file: through their entries its functions are reached.

Imports are read off the text, line by line, without parsing: the index answers while somebody types.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exportdb_rules.project import import_root
from exportdb_rules.source import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.project import Project

# A tree with more files than this is not searched: who checks it as a whole sees all its entries anyway.
MOST_FILES: Final = 400
# How many files that reach a file are followed.
MOST_IMPORTERS: Final = 12
# Up to so many files given by name, the project is searched for the files that import them.
MOST_LOOKED_UP: Final = 8
_SKIPPED: Final = frozenset({"node_modules", "site-packages", "__pycache__", "build", "dist", "venv"})
_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*|[^\n#]*)|import[ \t]+([^\n#]+))", re.MULTILINE
)
_NAME: Final = re.compile(r"\w+")


def reaching_files(project: Project, filenames: Sequence[str]) -> tuple[str, ...]:
    """The other files of the project whose entries may reach these, as far as they are looked for: who asks for a few
    files wants to know; who asks for many asks for the project as a whole."""
    if len(filenames) > MOST_LOOKED_UP:
        return ()
    given = set(filenames)
    return tuple(dict.fromkeys(name for file in filenames for name in importers(project, file) if name not in given))


def importers(project: Project, filename: str) -> tuple[str, ...]:
    """The files that import a file, directly or through others, those nearest to it first."""
    base, name, _ = import_root(Path(filename))
    files = _files(project, base, filename)
    if not files:
        return ()
    imported = {file: _imports(project, file) for file in files if file != filename}
    found: list[str] = []
    wanted: set[str] = {name}
    while wanted:
        nearer = [file for file, names in imported.items() if file not in found and not wanted.isdisjoint(names)]
        wanted = set[str]()
        for file in nearer:
            if len(found) == MOST_IMPORTERS:
                return tuple(found)
            found.append(file)
            wanted.add(import_root(Path(file))[1])
    return tuple(found)


def _files(project: Project, base: Path, filename: str) -> list[str]:
    """The Python files that may import a file: of its folder if it is in no package, of the tree otherwise."""
    folder = Path(filename).parent
    if not folder.is_dir():
        return []
    on_disk = _tree(project, base, folder)
    known = set(on_disk)
    opened = [name for name in project.opened() if name not in known and Path(name).is_relative_to(base)]
    return [*on_disk, *opened]


def _tree(project: Project, base: Path, folder: Path) -> list[str]:
    known = project.trees.get(str(base))
    if known is not None:
        return known
    found: list[str] = []
    whole = project.root is not None or (folder / "__init__.py").exists()
    for place, folders, names in os.walk(base):
        folders[:] = sorted(f for f in folders if whole and not f.startswith(".") and f not in _SKIPPED)
        found += [os.path.join(place, n) for n in sorted(names) if n.endswith(".py")]
        if len(found) > MOST_FILES:
            found = []
            break
    project.trees[str(base)] = found
    return found


def _imports(project: Project, filename: str) -> frozenset[str]:
    """The dotted names of the modules that a file imports."""
    known = project.imports.get(filename)
    if known is None:
        known = project.imports[filename] = _read_imports(project, filename)
    return known


def _read_imports(project: Project, filename: str) -> frozenset[str]:
    text = project.text(filename)
    if text is None:
        try:
            text = read(Path(filename))
        except (OSError, SyntaxError, ValueError):
            return frozenset()
    _, own, is_package = import_root(Path(filename))
    found: set[str] = set()
    for match in _IMPORT.finditer(text):
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
