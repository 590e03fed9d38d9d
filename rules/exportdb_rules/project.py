"""The files of a project, looked up by name and read only when needed."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from exportdb_rules.definitions import (
    ClassInfo,
    FunctionInfo,
    Import,
    Links,
    Module,
    dotted,
    own_nodes,
    own_statements,
    parameters_of,
)
from exportdb_rules.disk import import_root, read_bytes
from exportdb_rules.importers import Importers
from exportdb_rules.names import Names, NamesKept, names_of, read_names
from exportdb_rules.pieces import edited
from exportdb_rules.source import decode, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "ClassInfo", "FunctionInfo", "Import", "Module", "Project", "dotted", "import_root", "own_nodes", "own_statements",
    "parameters_of",
]  # fmt: skip

# Packages whose meaning the analyser knows by name; their source is never read for it.
KNOWN_LIBRARIES: Final = frozenset({"torch", "numpy", "math", "random", "builtins", "typing", "functools", "copy"})


# Packages whose functions and classes the analyser has models of, or whose names alone it asks for.
KNOWN_BY_NAME: Final = (
    "einops.", "einx.", "opt_einsum.", "torchaudio.", "torchvision.ops.", "torchvision.transforms.", "lightning.",
    "pytorch_lightning.", "beartype.", "typeguard.", "jaxtyping.", "scipy.", "tqdm.", "pytest.",
)  # fmt: skip

# Before the name of a module that is looked for among the installed packages, in `Module.lookups`.
INSTALLED: Final = "@"


# Before a name and a file, with a space between them: not the file, but where it gets the name by `from … import *`.
STARS: Final = "*"


class Dissolvable(Protocol):
    """What the engine keeps of a file between two checks."""

    def dissolve(self) -> None:
        """Nobody needs it any more: what refers to itself in a circle would wait for the garbage collector."""


class Stars:
    """What a file gets by `from … import *`, directly or through other files: these are looked at one after the other, and
    no further than to the first that binds a name which is asked for."""

    def __init__(self, project: Project, filename: str) -> None:
        self._found: dict[str, str] = {}
        self._looking = self._look(project, filename)

    def source(self, name: str) -> str | None:
        """The first file that binds a name, in the order of the imports; None if none does."""
        while name not in self._found:
            if next(self._looking, None) is None:
                return None
        return self._found[name]

    def _look(self, project: Project, filename: str) -> Iterator[str]:
        seen = {filename}
        # A file behind the first, the imports of it that are left, and the names of those that lead to it.
        waiting: list[tuple[str, Iterator[str], tuple[Names, ...]]] = [
            (filename, iter(project.names(filename).stars), ())
        ]
        while waiting:
            origin, stars, through = waiting[-1]
            star = next(stars, None)
            if star is None:
                waiting.pop()
                continue
            source = project.star(star, origin)
            if source is None or source in seen:
                continue  # files that import each other by `*` go round in circles
            seen.add(source)
            names = project.names(source)
            through = (*through, names)
            bound = names.bound
            for one in through:
                bound = one.passed(bound)
            for name in bound:
                self._found.setdefault(name, source)
            waiting.append((source, iter(names.stars), through))
            yield source


def candidates(name: str, folder: Path, root: Path | None, packages: Iterable[str] = ()) -> Iterator[str]:
    """Where a module of this name may be, seen from the files that are imported from `folder`; the first wins.

    A name that begins with `INSTALLED` is looked for in the folders `packages` alone.
    """
    if not name:
        return
    tail = os.path.join(*name.removeprefix(INSTALLED).split("."))
    places: Iterable[str | Path] = [folder] if root is None else dict.fromkeys((folder, root, root / "src"))
    for place in packages if name.startswith(INSTALLED) else places:
        yield os.path.join(place, tail, "__init__.py")
        yield os.path.join(place, tail + ".py")


def digest_of(data: bytes) -> str:
    """What tells one content of a file from another."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


class Project:
    """The files that one check sees. Texts given with `set_text` stand in front of what is on disk.

    A file that cannot be read or decoded is remembered as such; nothing here raises for the sake of one file.
    """

    def __init__(self, root: Path | None = None) -> None:
        self.root = root
        self._texts: dict[str, str] = {}
        self._modules: dict[str, Module | None] = {}
        # Open files that were edited, as they were read last.
        self._edited: dict[str, Module] = {}
        # When each was last asked for, in turns of `spare`.
        self._used: dict[str, int] = {}
        self._turn = 0
        self._by_name: dict[tuple[str, str], str | None] = {}
        self._roots: dict[str, tuple[Path, str, bool]] = {}
        self._packages: tuple[str, ...] = ()
        self._package_prefixes: tuple[str, ...] = ()
        self.changes: dict[str, int] = {}
        self.all_changes = 0
        # See `names`, `star_source`; and the files whose texts changed since that was read, with their names before.
        self._names: dict[str, Names] = {}
        self._stars: dict[str, Stars] = {}
        # What was read of the files on the disk: earlier runs may have done that.
        self.names_kept = NamesKept()
        self._changed: dict[str, Names | None] = {}
        # What the engine keeps between two checks of one file, by file.
        self.sessions: defaultdict[str, dict[tuple[str, ...], Dissolvable]] = defaultdict(dict)
        self.importers = Importers()
        # The classes that know their bases, which may stand in other files; and what they knew before a file changed.
        self.linked: list[ClassInfo] = []
        self._unlinked: tuple[str, list[tuple[ClassInfo, Links]]] | None = None
        # What calls may write: see `exportdb_rules.interpreter.effects`.
        self.effects: dict[tuple[int, int], tuple[object, object, object]] = {}
        self.callees: dict[
            tuple[int, int], tuple[FunctionInfo, ClassInfo | None, list[tuple[FunctionInfo, ClassInfo | None, bool]]]
        ] = {}
        # What calls at the top level of files give, as far as all runs share it: see `AnalysisState.value_of`.
        self.values: dict[int, object] = {}

    def set_text(self, filename: str, text: str) -> None:
        """The text of an open document; it hides the file of that name."""
        known = self._texts.get(filename)
        if known != text:
            self._texts[filename] = text
            self._changed_text(filename, created_or_deleted=known is None)

    def with_text(self, filename: str, text: str) -> Project:
        """A project like this one, in which a file has another text. What was read of the other files is shared."""
        other = Project(self.root)
        other._texts.update({**self._texts, filename: text})
        other._packages, other._package_prefixes = self._packages, self._package_prefixes
        other._modules.update({name: module for name, module in self._modules.items() if name != filename})
        other.importers = self.importers.copy()
        other.importers.changed(filename, on_disk=os.path.isfile(filename))
        return other

    def text(self, filename: str) -> str | None:
        """The text of an open document; None if the file is not open."""
        return self._texts.get(filename)

    def opened(self) -> tuple[str, ...]:
        """The files whose text was given, whether they are on the disk or not."""
        return tuple(self._texts)

    def drop_text(self, filename: str) -> None:
        """The document was closed: the file on disk counts again."""
        if self._texts.pop(filename, None) is not None:
            self.forget(filename)
            # What was learnt while it was typed is of no use any more.
            self.sessions.pop(filename, None)

    def forget(self, filename: str) -> None:
        """The file changed, came or went."""
        self._changed_text(filename, created_or_deleted=True)

    def _changed_text(self, filename: str, *, created_or_deleted: bool) -> None:
        before = self._modules.pop(filename, None)
        if created_or_deleted:
            self._edited.pop(filename, None)
        elif before is not None:
            self._edited[filename] = before
        same = self._unlinked is None or self._unlinked[0] == filename
        links = [*(self._unlinked[1] if self._unlinked is not None else ()), *[(c, c.links()) for c in self.linked]]
        self._unlearn()
        # Where nothing but bodies of functions changed, the classes know what they knew: see `adopt`.
        self._unlinked = (filename, links) if same else None
        self._changed.setdefault(filename, self._names.pop(filename, None))
        if created_or_deleted:
            self._by_name.clear()
            self._roots.pop(filename, None)
        self.importers.changed(filename, on_disk=os.path.isfile(filename))
        self.changes[filename] = self.changes.get(filename, 0) + 1
        self.all_changes += 1

    def _unlearn(self) -> None:
        """Forget what was learnt from several files."""
        self.effects.clear()
        self.callees.clear()
        self.values.clear()
        for cls in self.linked:
            cls.unlink()
        self.linked.clear()
        self._unlinked = None

    def adopt(self, filename: str, module: Module) -> None:
        """An older module object was brought up to the file's text, which differs in bodies of functions alone: it stands for
        the file from now on, and what classes knew of their bases holds."""
        self._modules[filename] = module
        if self._unlinked is not None and self._unlinked[0] == filename:
            for cls, links in self._unlinked[1]:
                if cls.link(links):
                    self.linked.append(cls)
        self._unlinked = None

    def module(self, filename: str) -> Module | None:
        """A file, parsed; None if it cannot be read (`check` tells why)."""
        self._used[filename] = self._turn
        if filename in self._modules:
            return self._modules[filename]
        self._modules[filename] = None
        with contextlib.suppress(OSError, SyntaxError, ValueError):
            self._modules[filename] = self.load(filename)
        return self._modules[filename]

    def whole(self, filename: str) -> Module | None:
        """A file whose every function is parsed, as that of a file which is checked itself; None as for `module`."""
        if filename not in self._modules:
            with contextlib.suppress(OSError, SyntaxError, ValueError):
                self._modules[filename] = self.load(filename, whole=True)
        module = self.module(filename)
        if module is not None:
            module.read_whole()
        return module

    def load(self, filename: str, *, whole: bool = False) -> Module:
        """Read and parse a file.

        Args:
            filename: which.
            whole: with all functions; else their bodies are parsed when they are looked at. Open documents always are.

        Raises:
            OSError, SyntaxError, ValueError: see `exportdb_rules.source.read`.
        """
        text = self._texts.get(filename)
        digest, tree = "", None
        whole = whole or text is not None
        if text is not None:
            before = self._edited.pop(filename, None)
            tree = None if before is None else edited(before, text)
        else:
            data = read_bytes(filename)
            text = decode(data)
            digest = digest_of(data)
        _, name, is_package = self.place(filename)
        return Module(filename, name, text, is_package=is_package, digest=digest, whole=whole, tree=tree)

    def source(self, filename: str) -> str | None:
        """The text of a file; None if it cannot be read."""
        text = self._texts.get(filename)
        if text is not None:
            return text
        module = self._modules.get(filename)
        if module is not None:
            return module.text
        with contextlib.suppress(OSError, SyntaxError, ValueError):
            return read(Path(filename))
        return None

    def place(self, filename: str) -> tuple[Path, str, bool]:
        """Where a file is imported from: see `import_root`."""
        place = self._roots.get(filename)
        if place is None:
            place = self._roots[filename] = import_root(Path(filename))
        return place

    def find_module(self, name: str, origin: Module) -> Module | None:
        """The file of an imported module, seen from the file that imports it; None if it is not of the project."""
        if name.partition(".")[0] in KNOWN_LIBRARIES:
            return None
        return self._look_up(name, self.place(origin.filename)[0], origin)

    def _look_up(self, name: str, base: Path, origin: Module) -> Module | None:
        """See `candidates`. What is found, or not, is noted at the file on whose behalf it is looked for."""
        filename = self._file_of(name, base)
        if filename is None and not os.path.exists(
            beside := os.path.join(os.path.dirname(origin.filename), "__init__.py")
        ):
            filename = self._file_of(name, Path(beside).parent)  # what is run as a script finds the files beside it
        origin.lookups[name] = filename
        return None if filename is None else self.module(filename)

    def _file_of(self, name: str, base: Path) -> str | None:
        key = (str(base), name)
        if key not in self._by_name:
            places = candidates(name, base, self.root, self._packages)
            self._by_name[key] = next((f for f in places if f in self._texts or os.path.isfile(f)), None)
        return self._by_name[key]

    def names(self, filename: str) -> Names:
        """What a file binds and passes on; nothing if it cannot be read."""
        known = self._names.get(filename)
        if known is None:
            known = self._names[filename] = self._read_names(filename) or Names()
        return known

    def _read_names(self, filename: str) -> Names | None:
        _, name, is_package = self.place(filename)
        found, state, text = None, "", self._texts.get(filename)
        module = self._modules.get(filename)
        if module is None:
            with contextlib.suppress(OSError, SyntaxError, ValueError):
                if text is None:  # an open one is parsed as a whole all the same
                    data = read_bytes(filename)
                    state = f"{digest_of(data)} {name}"
                    if (known := self.names_kept.get(filename, state)) is not None:
                        return known
                    found = read_names(decode(data), name, is_package=is_package)
        if found is None and (module := self.module(filename)) is not None:
            found = names_of(module.body, name, is_package=is_package)  # of what is parsed already, or half typed
            state = module.digest and f"{module.digest} {name}"
        if found is not None and state:
            self.names_kept.put(filename, state, found)
        return found

    def star(self, module: str, origin: str) -> str | None:
        """The file of a module that a file imports `*` from; None if it is not of the project."""
        outside = module.partition(".")[0] in KNOWN_LIBRARIES
        return None if outside else self._file_of(module, self.place(origin)[0])

    def star_source(self, filename: str, name: str) -> str | None:
        """The file that binds a name which a file gets by `from … import *`, directly or through other files."""
        for changed, before in self._changed.items():
            if self.names(changed) != before:
                self._stars.clear()
        self._changed.clear()
        stars = self._stars.get(filename)
        if stars is None:
            stars = self._stars[filename] = Stars(self, filename)
        return stars.source(name)

    def star_digest(self, key: str) -> str:
        """What tells one answer of `star_source` from another; `key` is `STARS`, the name and the file."""
        name, _, filename = key.removeprefix(STARS).partition(" ")
        return self.star_source(filename, name) or ""

    def from_star(self, module: Module, name: str) -> Module | None:
        """The file that binds a name which a file gets by `from … import *`.

        What is found, or not, is noted at the file, which rests on the answer.
        """
        file = module.file
        file.rests.add(f"{STARS}{name} {file.filename}")
        source = self.star_source(file.filename, name)
        if source is None:
            return None
        file.rests.add(source)
        return self.module(source)

    def look_in(self, packages: tuple[str, ...]) -> None:
        """The folders of installed packages, from now on."""
        if packages != self._packages:
            self._packages = packages
            self._package_prefixes = tuple([os.path.join(folder, "") for folder in packages])
            self._by_name.clear()
            self._stars.clear()
            self._unlearn()
            self.end_sessions()

    def installed_class(self, name: str, origin: Module) -> ClassInfo | None:
        """A class by its qualified name, read from the source of an installed package; None where there is none.

        Args:
            name: as the importing file spells it: `package.module.Class`, or a name that the package passes on.
            origin: the file that imports it.
        """
        parts = name.split(".")
        if not self._packages or parts[0] in KNOWN_LIBRARIES or name.startswith("?"):
            return None
        for cut in range(len(parts) - 1, 0, -1):
            target: object = self._installed_module(".".join(parts[:cut]), origin)
            if isinstance(target, Module):
                for part in parts[cut:]:
                    target = self._member(target, part)
                return target if isinstance(target, ClassInfo) else None
        return None

    def followed_class(self, name: str, origin: Module) -> ClassInfo | None:
        """A class of an installed package that is built on torch, by its qualified name; None for any other."""
        module = self.followed_module(name.rpartition(".")[0], origin)
        return None if module is None else self.installed_class(name, origin)

    def is_installed(self, name: str, origin: Module) -> bool:
        """Whether a package is among the installed ones, asked on behalf of a file."""
        return bool(self._packages) and self._installed_module(name, origin) is not None

    def followed_module(self, name: str, origin: Module) -> Module | None:
        """A module of an installed package that is built on torch, asked on behalf of a file; None for any other."""
        root = name.partition(".")[0]
        if not self._packages or root in KNOWN_LIBRARIES or f"{name}.".startswith(KNOWN_BY_NAME):
            return None
        found = self._installed_module(name, origin)
        if found is None or found.mentions("torch"):
            return found
        package = self._installed_module(root, origin)
        return found if package is not None and package.mentions("torch") else None

    def is_of_package(self, filename: str) -> bool:
        """Whether a file stands in one of the folders of installed packages."""
        return filename.startswith(self._package_prefixes)

    def _installed_module(self, name: str, origin: Module) -> Module | None:
        return self._look_up(INSTALLED + name, Path(), origin)

    def _member(self, owner: object, name: str) -> object:
        return self.resolve_import(owner, Import(owner.name, name)) if isinstance(owner, Module) else None

    def size(self) -> int:
        """How much text is kept parsed, in characters."""
        return sum(len(module.text) for module in self._modules.values() if module is not None)

    def spare(self, most: int) -> None:
        """Forget the files that were not used for the longest time, until no more than so many characters of text are
        kept parsed; not within a check, which holds on to what it read.

        What was used since the last call is the last to go.
        """
        kept = self.size()
        self._turn += 1
        if kept <= most:
            return
        for filename in sorted(self._modules, key=lambda name: self._used.get(name, 0)):
            module = self._modules[filename]
            if kept <= most * 3 // 4:
                break
            if module is not None:
                kept -= len(module.text)
                del self._modules[filename]
                module.dissolve()
        self._unlearn()
        self.end_sessions()  # they know the trees that were forgotten

    def end_sessions(self) -> None:
        """Forget what the engine keeps between two checks."""
        for sessions in self.sessions.values():
            for session in sessions.values():
                session.dissolve()
        self.sessions.clear()

    def end(self, filename: str) -> None:
        """Nobody needs it any more, nor the file that it has another text of than the project that it was made from."""
        self.end_sessions()
        self._unlearn()
        module = self._modules.pop(filename, None)
        if module is not None:
            module.dissolve()

    def dependencies(self, filename: str) -> dict[str, Module | None]:
        """The files that everything known of a file rests on: itself, and what was looked up on the way from it.

        None stands for a file that could not be read. `STARS`, a name and a file stand for where the file gets it by `import *`.
        """
        found: dict[str, Module | None] = {}
        waiting = [filename]
        while waiting:
            name = waiting.pop()
            if name not in found:
                module = found[name] = None if name.startswith(STARS) else self.module(name)
                if module is not None:
                    waiting += [target for target in module.lookups.values() if target is not None]
                    waiting += module.rests
        return found

    def resolve(
        self, module: Module, name: str, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> Module | ClassInfo | FunctionInfo | str | ast.expr | None:
        """What a top-level name of a module stands for: a piece of the project, a qualified name outside, or None.

        Args:
            module: the file that binds the name.
            name: the name.
            seen: the names that are being resolved already, by their file: `a = b` and `b = a` mean nothing.
        """
        bound = module.scope.get(name)
        if bound is None and module.around is not None:
            return self.resolve(module.around, name, seen)
        mark = (module.filename + module.prefix, name)
        if mark in seen:
            return None
        seen |= {mark}
        if bound is None:
            return self._from_star(module, name, seen)
        # try: … except ImportError: name = None — the first that means something is the one that tracing meets.
        for item in bound:
            if isinstance(item, Import):
                target = self.resolve_import(module, item, seen)
            elif isinstance(item, (ast.Name, ast.Attribute)):
                target = self.resolve_expression(module, item, seen)
            else:
                target = item
            if target is not None:
                return target
        return None

    def _from_star(
        self, module: Module, name: str, seen: frozenset[tuple[str, str]]
    ) -> Module | ClassInfo | FunctionInfo | str | ast.expr | None:
        """What a name stands for that only a `from … import *` of the module can bring."""
        source = self.from_star(module, name) if "*" in module.scope else None
        return None if source is None else self.resolve(source, name, seen)

    def resolve_import(
        self, origin: Module, item: Import, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> Module | ClassInfo | FunctionInfo | str | ast.expr | None:
        """What an import binds."""
        source = self.find_module(item.module, origin)
        if item.attribute is None:
            return source if source is not None else item.module
        if source is None:
            return f"{item.module}.{item.attribute}" if item.module else None
        mark = (source.filename, item.attribute)
        if mark in seen:
            return None
        target = self.resolve(source, item.attribute, seen) if item.attribute in source.scope else None
        if target is not None:
            return target
        # A module of a package comes before what the package takes from others by `*`.
        inner = self.find_module(f"{item.module}.{item.attribute}", origin)
        if inner is not None:
            return inner
        found = self._from_star(source, item.attribute, seen | {mark})
        return f"{item.module}.{item.attribute}" if found is None else found

    def resolve_expression(
        self, module: Module, node: ast.expr, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> Module | ClassInfo | FunctionInfo | str | ast.expr | None:
        """What a dotted expression at the top level of a module stands for; `seen` as in `resolve`."""
        if isinstance(node, ast.Name):
            found = self.resolve(module, node.id, seen)
            # `str = str`: what the name was before the file bound it.
            unbound = not module.binds(node.id) or (module.filename + module.prefix, node.id) in seen
            return f"builtins.{node.id}" if found is None and unbound else found
        if isinstance(node, ast.Attribute):
            base = self.resolve_expression(module, node.value, seen)
            if isinstance(base, Module):
                inner = self.resolve(base, node.attr)
                return inner if inner is not None else f"{base.name}.{node.attr}"
            if isinstance(base, ClassInfo):
                return base.find_inner(node.attr, self)
            if isinstance(base, str):
                return f"{base}.{node.attr}"
        return None
