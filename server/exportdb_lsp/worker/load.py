"""Importing the user's file as the editor holds it, without writing it anywhere."""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import io
import linecache
import os
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType
from typing import Any


class TextLoader(importlib.abc.InspectLoader):
    """Runs a module from text. Its lines stand in linecache, because Dynamo reads source through `inspect`."""

    def __init__(self, filename: str, text: str, package: bool) -> None:
        self.filename = filename
        self.text = text
        self.package = package

    def get_source(self, fullname: str) -> str:
        """The text of the editor."""
        return self.text

    def get_filename(self, fullname: str) -> str:
        """Where the text will be when it is saved."""
        return self.filename

    def is_package(self, fullname: str) -> bool:
        """Whether the file is an `__init__.py`."""
        return self.package

    def exec_module(self, module: ModuleType) -> None:
        """Compiles and runs the text under its real file name."""
        remember(self.filename, self.text)
        code = self.compile(self.text, self.filename)
        exec(code, module.__dict__)

    def compile(self, text: str, filename: str) -> CodeType:
        """The code of a text."""
        return compile(text, filename, "exec", dont_inherit=True)


def file_of(module: object) -> str:
    """The file of what `sys.modules` holds; empty where it has none. The module is not asked: one that loads when it is
    asked for an attribute would be loaded, and may fail."""
    place = inspect.getattr_static(module, "__file__", None)
    return place if isinstance(place, str) else ""


def remember(filename: str, text: str) -> None:
    """Makes linecache (and so tracebacks, `inspect` and Dynamo) show `text` as the lines of `filename`."""
    # As reading the file would: form feeds and Unicode's separators end no line of Python, though `splitlines` thinks so.
    lines = io.StringIO(text, newline=None).readlines()
    # No modification time: linecache takes such an entry for one that no file on the disk can outdate.
    entry: Any = (len(text), None, lines, filename)
    linecache.cache[filename] = entry


class OpenDocuments(importlib.abc.MetaPathFinder):
    """Puts unsaved text in place of the file on the disk, for every module that imports it."""

    def __init__(self, texts: dict[str, str], loader: type[TextLoader] = TextLoader) -> None:
        self._loader = loader
        self._texts = {os.path.realpath(name): text for name, text in texts.items()}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The ordinary spec, with another loader where the file is open in the editor."""
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or not spec.origin:
            return None
        text = self._texts.get(os.path.realpath(spec.origin))
        if text is None:
            return None
        package = spec.submodule_search_locations is not None
        return importlib.util.spec_from_file_location(
            fullname,
            spec.origin,
            loader=self._loader(spec.origin, text, package),
            submodule_search_locations=spec.submodule_search_locations,
        )


def place(filename: str, text: str, root: str) -> tuple[str, list[str]]:
    """The name under which the file is imported, and the directories that its imports need.

    A directory with `__init__.py` is a package. One without is taken for a package only if the text imports
    relatively, since nothing else makes a difference then.
    """
    directory, base = os.path.split(os.path.abspath(filename))
    stem = os.path.splitext(base)[0]
    parts = [] if stem == "__init__" else [stem.replace(".", "_")]
    top = directory
    needed = _deepest_relative_import(text)
    packages = 0
    while os.path.isfile(os.path.join(top, "__init__.py")) or packages < needed:
        above, name = os.path.split(top)
        if not name or above == top:
            break
        parts.insert(0, name)
        packages += 1
        top = above
    paths = [top]
    for candidate in (root, os.path.join(root, "src")):
        if os.path.isdir(candidate) and candidate not in paths:
            paths.append(candidate)
    name = ".".join(parts) or "__init__"
    if len(parts) == 1 and (name in sys.modules or name in getattr(sys, "stdlib_module_names", ())):
        name = "exported_" + name  # a file named like an installed module must not replace it
    return name, paths


def _deepest_relative_import(text: str) -> int:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return 0
    return max((node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)), default=0)


def load(filename: str, text: str, root: str, documents: dict[str, str]) -> ModuleType:
    """Imports `text` as the module that `filename` is.

    Raises:
        BaseException: whatever the module raises while it runs, and SyntaxError.
    """
    name, paths = place(filename, text, root)
    missing = [entry for entry in paths if entry not in sys.path]
    # In front, the folder of a package would let a module of it pass for the package, where both have one name.
    packages = [entry for entry in missing if os.path.isfile(os.path.join(entry, "__init__.py"))]
    sys.path[:0] = [entry for entry in missing if entry not in packages]
    sys.path += packages
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, OpenDocuments(dict(documents, **{filename: text})))
    sys.modules.pop(name, None)
    parent = name.rpartition(".")[0]
    if parent:
        importlib.import_module(parent)
        already = sys.modules.get(name)
        if already is not None:
            return already
    package = os.path.basename(filename) == "__init__.py"
    spec = importlib.util.spec_from_file_location(
        name,
        filename,
        loader=TextLoader(filename, text, package),
        submodule_search_locations=[os.path.dirname(filename)] if package else None,
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    if parent:
        setattr(sys.modules[parent], name.rpartition(".")[2], module)
    return sys.modules.get(name, module)
