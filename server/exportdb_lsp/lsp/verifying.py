"""A fix that is applied only if real exports prove it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

from exportdb_rules.rewrite.edits import apply
from lsprotocol import types

from exportdb_lsp.lsp import status
from exportdb_lsp.lsp.edits import workspace_edit
from exportdb_lsp.lsp.errors import content_modified, request_failed
from exportdb_lsp.lsp.progress import Work

if TYPE_CHECKING:
    from exportdb_rules.finding import Edit

    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

logger = logging.getLogger(__name__)

COMMAND: Final = "exportdb.verifyFix"


async def apply_proven(
    server: ExportServer,
    snapshot: Snapshot,
    edits: list[Edit],
    entry: str,
    title: str,
    token: types.ProgressToken | None,
) -> dict[str, Any]:
    """Prove edits on the models that reach them, and apply them if that succeeds; tell the user what came of it.

    Args:
        entry: the traced function that reaches the line, as the finding names it.

    Raises:
        JsonRpcException: the workspace is not trusted, the text changed meanwhile, or the proof broke.
    """
    from exportdb_lsp.checking.proving import Changed, Prover

    if not server.trusted:
        raise request_failed("this workspace is not trusted: nothing of it is run")
    if not server.client.applies_edits:
        raise request_failed("the client does not let the server edit")
    await server.configured()
    place = server.place(snapshot.filename)
    texts = {s.filename: Changed(s.text, s.text) for s in server.documents.snapshots() if not s.notebook}
    texts[snapshot.filename] = Changed(snapshot.text, apply(snapshot.text, edits))
    prover = Prover(server.confirmer, place.folder, place.user, place.interpreter)
    work = Work(server, f"Verifying: {title}", token)
    await work.begin()
    status.tell(server, work.title)

    def progress(message: str) -> None:
        server.from_anywhere(lambda: work.say(message))

    def run() -> Any:
        return prover.prove(texts, snapshot.filename, (entry,), on_progress=progress, cancelled=work.cancelled)

    failed = ""
    try:
        proof = await asyncio.shield(asyncio.get_running_loop().run_in_executor(server.exports, run))
    except asyncio.CancelledError:
        work.cancelled.set()
        raise
    except Exception as error:
        logger.error("the proof of a fix of %s broke", snapshot.filename, exc_info=error)
        failed = f"{type(error).__name__}: {error}"
        raise request_failed(f"the proof broke: {failed}") from error
    finally:
        work.end("cancelled" if work.cancelled.is_set() else failed)
        status.tell(server, failed, error=bool(failed))
    if work.cancelled.is_set():
        return {"proven": False, "written": False, "message": "cancelled"}
    if not proof.proven:
        message = f"Not applied, {title!r} is not proven. {proof.words}"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        return {"proven": False, "written": False, "message": proof.words}
    now = server.documents.snapshot(snapshot.uri)
    if now is None or now.version != snapshot.version:
        raise content_modified()
    params = types.ApplyWorkspaceEditParams(workspace_edit(snapshot, edits, server.client), title)
    answer = await server.workspace_apply_edit_async(params)
    if answer.applied:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"{title}: {proof.words}"))
    return {"proven": True, "written": answer.applied, "message": proof.words}
