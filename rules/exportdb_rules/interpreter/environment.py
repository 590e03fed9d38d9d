"""What a function knows at one point of its body: the values of its names, and what conditions on the way there said of
attributes, sizes and entries that begin with a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from exportdb_rules.lattice import join
from exportdb_rules.values import Value


class AttributePath(NamedTuple):
    """`self.x`."""

    name: str
    attribute: str


class SizePath(NamedTuple):
    """`x.shape[0]`, also as `x.size(0)` or `len(x)`; without a dimension `x.numel()`."""

    name: str
    dimension: int | None


@dataclass(frozen=True, slots=True)
class EntryPath:
    """`batch["mask"]`, also as `batch.get("mask")`."""

    name: str
    entry: str


Path: TypeAlias = AttributePath | SizePath | EntryPath
"""What a condition can say something of, besides a name."""

Refinements: TypeAlias = Mapping[str | Path, Value]
"""The names and paths that are known better on one side of a condition."""

_NOTHING: Final[dict[Path, Value]] = {}


class Narrowed(NamedTuple):
    """What an environment said before it was narrowed: of the names that were, None for one that it did not know, and of
    all paths."""

    names: dict[str, Value | None]
    paths: dict[Path, Value]


class Environment(dict[str, Value]):
    """The values of the names at one point; `paths` are the values of paths that conditions narrowed.

    The table of paths is shared between copies: it is replaced, never written to.
    """

    __slots__ = ("paths",)

    def __init__(
        self, names: Mapping[str, Value] | Iterable[tuple[str, Value]] = (), paths: dict[Path, Value] = _NOTHING
    ) -> None:
        super().__init__(names)
        self.paths = paths

    def copy(self) -> Environment:
        """Another one that says the same."""
        result = Environment.__new__(Environment)
        result.update(self)
        result.paths = self.paths
        return result

    def bind(self, name: str, value: Value) -> None:
        """Give a name a value. What conditions said of paths that begin with it was of another object."""
        self[name] = value
        if self.paths:
            self._keep_paths(lambda path: path.name != name)

    def unbind(self, name: str) -> None:
        """`del name`."""
        self.pop(name, None)
        if self.paths:
            self._keep_paths(lambda path: path.name != name)

    def forget(self, path: Path) -> None:
        """Something is written where a path leads."""
        if path in self.paths:
            self._keep_paths(lambda other: other != path)

    def narrow(self, changes: Refinements) -> Narrowed:
        """Take what is known better; what was known before."""
        before = Narrowed({}, self.paths)
        for what, value in changes.items():
            if isinstance(what, str):
                before.names[what] = self.get(what)
                self[what] = value
            else:
                self.paths = {**self.paths, what: value}
        return before

    def widen(self, before: Narrowed) -> None:
        """Take back what `narrow` did; other names keep the values that they were given since."""
        self.paths = before.paths
        for name, value in before.names.items():
            if value is None:
                self.pop(name, None)
            else:
                self[name] = value

    def replace(self, before: Value, after: Value) -> None:
        """Whatever holds one value holds another one."""
        for name, value in self.items():
            if value is before:
                self[name] = after
        if self.paths:
            self.paths = {path: after if value is before else value for path, value in self.paths.items()}

    def _keep_paths(self, wanted: Callable[[Path], bool]) -> None:
        self.paths = {path: value for path, value in self.paths.items() if wanted(path)}


def merge(a: Environment, b: Environment) -> Environment:
    """What is known behind a point that two paths of the program reach. A name bound on one of them only keeps that value;
    what a condition said of `self.x` or of `n.shape[0]` holds on its own side only.
    """
    if len(a) < len(b):
        a, b = b, a
    paths = a.paths
    if paths is not b.paths:
        paths = {path: join(value, b.paths[path]) for path, value in paths.items() if path in b.paths}
    result = Environment(a, paths)
    for name, value in b.items():
        other = result.get(name)
        if other is None:
            result[name] = value
        elif other is not value:
            result[name] = join(other, value)
    return result


def same(a: Environment, b: Environment) -> bool:
    """Whether two environments say the same of every name and path."""
    return _same(a, b) and (a.paths is b.paths or _same(a.paths, b.paths))


def _same(a: Mapping[Any, Value], b: Mapping[Any, Value]) -> bool:
    if len(a) != len(b):
        return False
    for what, value in a.items():
        other = b.get(what)
        if other is not value and (other is None or other.key() != value.key()):
            return False
    return True
