"""What is to be checked: files, grouped by the project that they belong to, with that project's settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_lsp import settings as schema
from exportdb_lsp.confirm import kept_verdicts, recorded
from exportdb_lsp.interpreter import find_interpreter, package_folders, torch_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from exportdb_rules.report import Settings

    from exportdb_lsp.confirm.confirmation import Digest, ExportVerdict


@dataclass(frozen=True)
class ProjectFiles:
    """The files of one project that are to be checked."""

    root: Path
    settings: Settings
    filenames: tuple[str, ...]


class Plan:
    """Reads each project's settings once. `overrides` is what the command line says; it wins over every project.

    `recorded`: whether calls that were watched before count, and verdicts of earlier exports. `problems` collects what is wrong with the settings that were read.
    """

    def __init__(self, overrides: Mapping[str, object], *, recorded: bool = True) -> None:
        self._overrides = overrides
        self._recorded = recorded
        self._roots: dict[Path, Path] = {}
        self._settings: dict[Path, schema.UserSettings] = {}
        self.problems: list[schema.SettingProblem] = []
        self.named: tuple[Path, ...] = ()
        """The folders that are to be checked, as far as they were named."""

    def root(self, path: Path) -> Path:
        """The project that a file or folder belongs to."""
        folder = path if path.is_dir() else path.parent
        if folder not in self._roots:
            self._roots[folder] = schema.project_root(folder, self.named)
        return self._roots[folder]

    def settings(self, root: Path) -> schema.UserSettings:
        """The settings of a project, with the command line's on top."""
        if root not in self._settings:
            base, problems = schema.read_pyproject(root / "pyproject.toml")
            self.problems += problems
            settings, problems = schema.read_values(self._overrides, base)
            self.problems += [problem for problem in problems if problem not in self.problems]
            self._settings[root] = settings
        return self._settings[root]

    @property
    def withheld(self) -> list[schema.SettingProblem]:
        """What is left out of the settings of projects that are not trusted."""
        return [note for settings in self._settings.values() for note in settings.withheld]

    def verdicts(self, filename: str, digest: Digest) -> list[ExportVerdict]:
        """What earlier exports said of a file whose texts, by these digests, have not changed."""
        return kept_verdicts.of_file(filename, digest) if self._recorded else []

    def groups(self, paths: Iterable[Path]) -> list[ProjectFiles]:
        """The files by project, in the order in which the projects first occur."""
        files: dict[Path, list[str]] = {}
        for path in paths:
            files.setdefault(self.root(path), []).append(str(path))
        return [ProjectFiles(root, self.engine_settings(root), tuple(names)) for root, names in files.items()]

    def engine_settings(self, root: Path) -> Settings:
        """What the analyser needs: the project's settings, and the version of torch that its interpreter has."""
        settings = self.settings(root)
        # Its packages are read, it is not started: whoever names it.
        interpreter = find_interpreter(settings.interpreter or settings.project_interpreter, root)
        detected = torch_version(interpreter) if settings.torch_version is None else None
        engine = settings.for_engine(detected, package_folders(interpreter))
        return replace(engine, declared=recorded.declared(root)) if self._recorded else engine
