"""Real exports that the client asked for, and what becomes of their results."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_rules.finding import Mode

from exportdb_lsp.lsp.errors import untrusted
from exportdb_lsp.lsp.logs import trace
from exportdb_lsp.lsp.progress import Task

if TYPE_CHECKING:
    from lsprotocol import types

    from exportdb_lsp.confirm.request import Dynamic
    from exportdb_lsp.confirm.result import ExportResult
    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

logger = logging.getLogger(__name__)

BOTH = (Mode.NON_STRICT, Mode.STRICT)


async def export(
    server: ExportServer,
    filename: str,
    *,
    name: str | None = None,
    modes: tuple[Mode, ...] | None = None,
    dynamic: Dynamic = "given",
    goals: tuple[str, ...] | None = None,
    show_graph: bool = False,
    token: types.ProgressToken | None = None,
) -> tuple[ExportResult, ...]:
    """Export what a file holds, as it stands in the editor, with progress, and publish what came of it.

    `modes` None: calls of torch.export in the mode that they choose, anything else in both. `goals` None: those of the
    settings.

    Raises:
        JsonRpcException: the workspace is not trusted, or nothing could be tried; the message says why.
    """
    from exportdb_lsp.confirm.request import ExportRequest

    if not server.trusted:
        raise untrusted()
    await server.configured()
    place = server.place(filename)
    texts = {s.filename: s for s in server.documents.snapshots()}
    own = texts.get(filename)
    request = ExportRequest(
        filename=filename,
        text=own.text if own is not None else None,
        name=name,
        modes=modes or BOTH,
        own_mode=modes is None,
        goals=place.user.to if goals is None else goals,
        dynamic=dynamic,
        interpreter=place.interpreter,
        root=place.folder,
        timeout=place.user.timeout,
        memory_limit=place.user.memory_limit,
        show_graph=show_graph,
        documents={key: s.text for key, s in texts.items() if key != filename and not s.notebook},
    )
    work = Task(server, f"Exporting {name or Path(filename).name}", token, about(filename, texts))
    results = await work.carried_out(
        lambda say: server.confirmer.run(request, on_progress=say, cancelled=work.cancelled)
    )
    if not work.cancelled.is_set():
        remember(server, results, texts)
    return results


def about(filename: str, texts: dict[str, Snapshot]) -> frozenset[str]:
    """The file, and the open ones that it imports, or that those import."""
    from exportdb_lsp.confirm.calls import imports

    reached: set[str] = set()
    pending = [filename]
    while pending:
        name = pending.pop()
        if name in reached:
            continue
        reached.add(name)
        if name in texts:
            others = [other for other in texts if other not in reached]
            pending += [other for other in others if imports(texts[name].text, Path(other).stem)]
    return frozenset(reached)


def remember(server: ExportServer, results: tuple[ExportResult, ...], texts: dict[str, Snapshot]) -> None:
    """Keep results for the texts that they are about, and show them where those still stand."""

    def then(filename: str) -> str | None:
        snapshot = texts.get(filename)
        return server.disk.digest(filename) if snapshot is None else snapshot.digest

    server.verdicts.add(results, then)
    for result in results:
        said = f"{result.target} ({result.how}): {result.outcome.value} in {result.seconds:.1f} s"
        trace(server, said, result.message)
    server.refresh()


async def export_quietly(server: ExportServer, snapshot: Snapshot) -> None:
    """The export that a save starts: of files that have something to export, and without complaints about others."""
    from pygls.exceptions import JsonRpcException

    from exportdb_lsp.confirm import sites, targets

    try:
        found = targets.find(
            snapshot.text, snapshot.filename, targets.configured(server.place(snapshot.filename).folder)
        )
    except (SyntaxError, ValueError):
        return
    if not found and not sites.of_text(snapshot.text).sites:
        return
    try:
        await export(server, snapshot.filename, modes=server.place(snapshot.filename).user.modes)
    except JsonRpcException as error:
        logger.info("no export on save: %s", error)
