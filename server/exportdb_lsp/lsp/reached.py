"""A project that knows which of its files an answer rests on, and whether the answer still holds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exportdb_rules.project import STARS, Module, Project

if TYPE_CHECKING:
    from pathlib import Path

    from exportdb_rules import engine


class ReachingProject(Project):
    """A project that remembers which file imports which, as far as the analyser ever asked."""

    def __init__(self, root: Path | None) -> None:
        super().__init__(root)
        self.reaches: defaultdict[str, set[str]] = defaultdict(set)

    def find_module(self, name: str, origin: Module) -> Module | None:
        """As the analyser asks it; the answer is remembered."""
        found = super().find_module(name, origin)
        if found is not None and found is not origin:
            self.reaches[origin.filename].add(found.filename)
        return found

    def from_star(self, module: Module, name: str) -> Module | None:
        """As the analyser asks it; what was asked for, and found, is remembered."""
        origin = module.file.filename
        self.reaches[origin].add(f"{STARS}{name} {origin}")
        found = super().from_star(module, name)
        if found is not None:
            self.reaches[origin].add(found.filename)
        return found

    def state(self, filename: str) -> object:
        """What tells a file that is reached from another state of it."""
        if filename.startswith(STARS):
            return self.star_digest(filename)
        return self.module(filename)

    def reached(self, filename: str) -> set[str]:
        """The file and all that it imports, directly or not."""
        seen: set[str] = set()
        waiting = [filename]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += self.reaches.get(name, ())
        return seen


@dataclass(frozen=True)
class KnownReport:
    """A report, and what it was made of."""

    settings: engine.Settings
    states: tuple[tuple[str, object], ...]
    report: engine.Report

    def holds(self, project: ReachingProject, settings: engine.Settings, files: set[str]) -> bool:
        """Whether the same question would get the same answer."""
        if self.settings != settings or {name for name, _ in self.states} != files:
            return False
        return all(project.state(name) == state for name, state in self.states)


def files_behind(project: ReachingProject, asked: list[str]) -> set[str]:
    """All files that a check of these looks at."""
    return {name for start in asked for name in project.reached(start)}
