"""A fix that is applied only if real exports prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from exportdb_rules.rewrite.edits import apply
from lsprotocol import types

from exportdb_lsp.lsp.edits import workspace_edit
from exportdb_lsp.lsp.errors import content_modified, may_not_edit, untrusted
from exportdb_lsp.lsp.exporting import about
from exportdb_lsp.lsp.progress import Task

if TYPE_CHECKING:
    from exportdb_rules.finding import Edit

    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

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
        raise untrusted()
    if not server.client.applies_edits:
        raise may_not_edit()
    await server.configured()
    place = server.place(snapshot.filename)
    opened = {s.filename: s for s in server.documents.snapshots() if not s.notebook}
    texts = {name: Changed(s.text, s.text) for name, s in opened.items()}
    texts[snapshot.filename] = Changed(snapshot.text, apply(snapshot.text, edits))
    prover = Prover(server.confirmer, place.folder, place.user, place.interpreter)
    work = Task(server, f"Verifying: {title}", token, about(snapshot.filename, opened))
    proof = await work.carried_out(
        lambda say: prover.prove(texts, snapshot.filename, (entry,), on_progress=say, cancelled=work.cancelled)
    )
    now = server.documents.snapshot(snapshot.uri)
    if now is None or now.version != snapshot.version:
        raise content_modified()
    if work.cancelled.is_set():
        return {"proven": False, "written": False, "message": "cancelled"}
    if not proof.proven:
        message = f"Not applied, {title!r} failed verification: {proof.words}"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        return {"proven": False, "written": False, "message": proof.words}
    params = types.ApplyWorkspaceEditParams(workspace_edit(snapshot, edits, server.client), title)
    answer = await server.workspace_apply_edit_async(params)
    if answer.applied:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"{title}: {proof.words}"))
    return {"proven": True, "written": answer.applied, "message": proof.words}
