"""Real exports that the client asked for, and what becomes of their results."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_rules.finding import Mode

from exportdb_lsp.lsp import status
from exportdb_lsp.lsp.documents import digest as digest_of
from exportdb_lsp.lsp.errors import request_failed
from exportdb_lsp.lsp.logs import trace
from exportdb_lsp.lsp.progress import Work

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
    modes: tuple[Mode, ...] = BOTH,
    dynamic: Dynamic = "given",
    show_graph: bool = False,
    token: types.ProgressToken | None = None,
) -> tuple[ExportResult, ...]:
    """Export what a file holds, as it stands in the editor, with progress, and mark what came of it.

    Raises:
        JsonRpcException: the workspace is not trusted, or nothing could be tried; the message says why.
    """
    from exportdb_lsp.confirm.confirmer import Refused
    from exportdb_lsp.confirm.request import ExportRequest

    if not server.trusted:
        raise request_failed("this workspace is not trusted: nothing of it is run")
    await server.configured()
    place = server.place(filename)
    texts = {s.filename: s for s in server.documents.snapshots()}
    own = texts.get(filename)
    request = ExportRequest(
        filename=filename,
        text=own.text if own is not None else None,
        name=name,
        modes=modes,
        dynamic=dynamic,
        interpreter=place.interpreter,
        root=place.folder,
        timeout=place.user.timeout,
        memory_limit=place.user.memory_limit,
        show_graph=show_graph,
        documents={key: s.text for key, s in texts.items() if key != filename and not s.notebook},
    )
    work = Work(server, f"Exporting {name or filename.rpartition('/')[2]}", token, _about(filename, texts))
    await work.begin()
    status.tell(server, work.title)
    loop = asyncio.get_running_loop()

    def progress(message: str) -> None:
        server.from_anywhere(lambda: work.say(message))

    call = loop.run_in_executor(
        server.exports, lambda: server.confirmer.run(request, on_progress=progress, cancelled=work.cancelled)
    )
    failed = ""
    try:
        results = await asyncio.shield(call)
    except asyncio.CancelledError:
        # The request was cancelled, not the progress: end the export too, nobody wants its answer.
        work.cancelled.set()
        raise
    except Refused as error:
        failed = str(error)
        raise request_failed(failed) from error
    except Exception as error:
        logger.error("the export of %s broke", filename, exc_info=error)
        failed = f"{type(error).__name__}: {error}"
        raise request_failed(f"the export broke: {failed}") from error
    finally:
        work.end("cancelled" if work.cancelled.is_set() else failed)
        status.tell(server, failed, error=bool(failed))
    if not work.cancelled.is_set():
        remember(server, results, texts)
    return results


def _about(filename: str, texts: dict[str, Snapshot]) -> frozenset[str]:
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
    from exportdb_lsp.lsp.server import read

    def then(filename: str) -> str | None:
        snapshot = texts.get(filename)
        if snapshot is not None:
            return snapshot.digest
        text = read(filename)
        return None if text is None else digest_of(text)

    server.verdicts.add(results, then)
    for result in results:
        said = f"{result.target} ({result.mode.value}): {result.outcome.value} in {result.seconds:.1f} s"
        trace(server, said, result.message)
    server.refresh()


async def export_quietly(server: ExportServer, snapshot: Snapshot) -> None:
    """The export that a save starts: of files that have something to export, and without complaints about others."""
    from pygls.exceptions import JsonRpcException

    from exportdb_lsp.confirm import targets

    try:
        found = targets.find(
            snapshot.text, snapshot.filename, targets.configured(server.place(snapshot.filename).folder)
        )
    except (SyntaxError, ValueError):
        return
    if not found:
        return
    try:
        await export(server, snapshot.filename, modes=server.place(snapshot.filename).user.modes)
    except JsonRpcException as error:
        logger.info("no export on save: %s", error)
