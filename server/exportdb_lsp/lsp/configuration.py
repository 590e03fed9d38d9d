"""Which settings hold for which file: pyproject.toml of its project, and what the client says on top of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules.disk import read_bytes
from exportdb_rules.finding import START, Span
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from exportdb_lsp.confirm import recorded
from exportdb_lsp.interpreter import find_interpreter, package_folders, torch_version
from exportdb_lsp.links import SITE
from exportdb_lsp.lsp import status
from exportdb_lsp.lsp.documents import path_of, uri_of
from exportdb_lsp.lsp.positions import Encoding, LineIndex
from exportdb_lsp.settings import SettingProblem, UserSettings, project_root, read_pyproject, read_values
from exportdb_lsp.trust import is_trusted

if TYPE_CHECKING:
    from exportdb_rules import engine

    from exportdb_lsp.lsp.server import ExportServer

logger = logging.getLogger(__name__)

SECTION: Final = "exportdb"
# Settings of an editor's own extension, which are no business of the server.
_OF_EXTENSIONS: Final = frozenset(
    {"path", "trace", "trace.server", "trusted", "showsGraphs", "showsStatus", "enable", "settings"}
)
# A client that promised to tell its settings and does not must not keep people waiting for findings.
PATIENCE: Final = 1.0


@dataclass(frozen=True)
class ProjectSettings:
    """What holds for the files of one project. `root` is None for documents that belong to no folder."""

    root: Path | None
    user: UserSettings
    engine: engine.Settings
    interpreter: str
    torch: str | None
    problems: tuple[SettingProblem, ...]
    """What is wrong in pyproject.toml."""

    @property
    def folder(self) -> Path:
        """Where to look for imports and for pyproject.toml."""
        return self.root or Path.cwd()


class Configuration:
    """The settings of every project that a file was opened in."""

    def __init__(self) -> None:
        self.folders: list[Path] = []
        self.trust: bool | None = None
        """What the client says of the workspace, which it asked its user; None: nothing."""
        self.ready = asyncio.Event()
        self._general: Mapping[str, object] = {}
        self._by_folder: dict[Path, Mapping[str, object]] = {}
        self._projects: dict[Path | None, ProjectSettings] = {}
        self._roots: dict[Path, Path | None] = {}
        self._complained: set[str] = set()
        self._said: set[str] = set()
        self._recorded = 0.0

    def root_of(self, filename: str) -> Path | None:
        """The project of a file, at or below the workspace folder: see `project_root`."""
        path = Path(filename)
        if not path.is_absolute():
            return self.folders[0] if self.folders else None
        if path.parent not in self._roots:
            self._roots[path.parent] = self._find_root(path)
        return self._roots[path.parent]

    def _find_root(self, path: Path) -> Path | None:
        folder = self.folder_of(path)
        root = project_root(path if path.suffix else path.parent, self.folders)
        if folder is not None and not root.is_relative_to(folder):
            return folder
        return root

    def folder_of(self, path: Path) -> Path | None:
        """The innermost workspace folder around a path."""
        around = [folder for folder in self.folders if path.is_relative_to(folder)]
        return max(around, key=lambda folder: len(folder.parts), default=None)

    def of(self, filename: str) -> ProjectSettings:
        """What holds for a file."""
        if (stamp := recorded.stamp()) != self._recorded:  # a program was run meanwhile
            self._recorded = stamp
            self._projects.clear()
        root = self.root_of(filename)
        place = self._projects.get(root)
        if place is None:
            place = self._projects[root] = self._read(root)
        return place

    def _read(self, root: Path | None) -> ProjectSettings:
        user, problems = UserSettings(), ()
        if root is not None:
            user, problems = read_pyproject(root / "pyproject.toml", trusted=self.trusts(root))
        folder = self.folder_of(root) if root is not None else None
        for layer in (self._general, self._by_folder.get(folder) if folder is not None else None):
            if layer:
                user, wrong = read_values(layer, user, editor=True)
                self._complained.update(f"{SECTION}.{problem.message}" for problem in wrong)
        interpreter = find_interpreter(user.interpreter, root or Path.cwd())
        torch = torch_version(interpreter)
        # Of an interpreter that must not be started the packages can still be read.
        read = find_interpreter(user.interpreter or user.project_interpreter, root or Path.cwd())
        engine = user.for_engine(torch if read == interpreter else torch_version(read), package_folders(read))
        if root is not None:
            engine = replace(engine, declared=recorded.declared(root))
        return ProjectSettings(root, user, engine, interpreter, torch, problems)

    def trusts(self, root: Path | None) -> bool:
        """Whether a project may start code without a command: its user said so, in the editor or the environment."""
        if self.trust is None:
            return root is not None and is_trusted(root)
        return self.trust

    def forget(self) -> None:
        """Something changed: settings are read anew when they are next asked for."""
        self._projects.clear()
        self._roots.clear()

    def set_general(self, values: object) -> None:
        """What the client says for everything: at the start, or in didChangeConfiguration."""
        self._general = section(values)
        self.forget()

    def set_folder(self, folder: Path, values: object) -> None:
        """What the client says for one workspace folder."""
        self._by_folder[folder] = section(values)
        self.forget()

    def first(self, message: str) -> bool:
        """Whether a message was not said yet in this session; now it was."""
        new = message not in self._said
        self._said.add(message)
        return new

    def complaints(self) -> list[str]:
        """What is wrong in the client's settings and was not said yet."""
        found, self._complained = sorted(self._complained), set[str]()
        return found


def section(values: object) -> Mapping[str, object]:
    """Our settings in what a client sends: bare, or below our name, nested or with dots."""
    if not isinstance(values, Mapping):
        return {}
    given = cast("Mapping[str, object]", values)
    if isinstance(given.get(SECTION), Mapping):
        given = cast("Mapping[str, object]", given[SECTION])
    dotted = f"{SECTION}."
    return {
        name.removeprefix(dotted): value
        for name, value in given.items()
        if value is not None and name.removeprefix(dotted) not in _OF_EXTENSIONS
    }


def trust_in(options: object) -> bool | None:
    """What a client says of trust in its initialization options, bare or below our name; None: nothing."""
    if not isinstance(options, Mapping):
        return None
    given = cast("Mapping[str, object]", options)
    words = [given.get("trusted")]
    if isinstance(below := given.get(SECTION), Mapping):
        words.append(cast("Mapping[str, object]", below).get("trusted"))
    said = [word for word in words if isinstance(word, bool)]
    return all(said) if said else None


async def fetch(server: ExportServer) -> None:
    """Ask the client for its settings, for every folder; then let everything be checked by them."""
    configuration = server.configuration
    try:
        if server.client.configuration:
            folders = list(configuration.folders)
            items = [types.ConfigurationItem(section=SECTION)]
            items += [types.ConfigurationItem(scope_uri=uri_of(str(folder)), section=SECTION) for folder in folders]
            answer = await server.workspace_configuration_async(types.ConfigurationParams(items))
            values = cast("list[Any]", list(answer or ()))
            # An empty answer means that everything was taken back; null, that the client has nothing to say.
            if values and values[0] is not None:
                configuration.set_general(values[0])
            for folder, found in zip(folders, values[1:], strict=False):
                configuration.set_folder(folder, found)
    except (JsonRpcException, asyncio.CancelledError) as error:
        logger.info("the client did not return its settings: %s", error)
    finally:
        configuration.ready.set()


def complain(server: ExportServer) -> None:
    """Say what is wrong in the client's settings, once, and mark what is wrong in pyproject.toml where it stands."""
    for complaint in server.configuration.complaints():
        logger.warning("%s", complaint)
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, complaint))


def tell_withheld(server: ExportServer, place: ProjectSettings) -> None:
    """Say once that a save exports nothing: the user turned that on, and did not say that the project is trusted."""
    message = f"Export on save is disabled: {place.folder} is not trusted. See {SITE}security/"
    if server.configuration.first(message):
        logger.warning("%s", message)
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))


def problems_of(place: ProjectSettings, encoding: Encoding) -> list[types.Diagnostic]:
    """What is wrong in a pyproject.toml, as diagnostics of that file."""
    notes = place.user.withheld
    if place.root is None or not (place.problems or notes):
        return []
    try:
        text = read_bytes(place.root / "pyproject.toml").decode("utf-8-sig", errors="replace")
    except OSError:
        return []
    lines = LineIndex(text)
    found: list[types.Diagnostic] = []
    for problem in (*place.problems, *notes):
        severity = types.DiagnosticSeverity.Information if problem.note else types.DiagnosticSeverity.Warning
        position = problem.position or START
        line = min(position.row, len(lines)) - 1
        end = lines.whole(line, encoding).end
        start = lines.range(Span(position, position), encoding).start
        found.append(types.Diagnostic(types.Range(start, end), problem.message, severity, source=SECTION))
    return found


def register(server: ExportServer) -> None:
    """Settings and folders that change while the server runs."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def changed(params: types.DidChangeConfigurationParams) -> None:  # pyright: ignore[reportUnusedFunction]
        if server.client.configuration:
            await fetch(server)
        else:
            server.configuration.set_general(params.settings)
        server.settings_changed()
        status.tell(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders(params: types.DidChangeWorkspaceFoldersParams) -> None:  # pyright: ignore[reportUnusedFunction]
        gone = {path_of(folder.uri) for folder in params.event.removed}
        new = [path for folder in params.event.added if (path := path_of(folder.uri)) is not None]
        kept = [folder for folder in server.configuration.folders if folder not in gone and folder not in new]
        server.configuration.folders = kept + new
        server.configuration.forget()
        await fetch(server)
        server.settings_changed()
        status.tell(server)
