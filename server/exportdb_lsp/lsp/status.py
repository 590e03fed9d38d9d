"""What the server is doing, for whoever shows it: `exportdb/status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from exportdb_lsp import __version__

if TYPE_CHECKING:
    from exportdb_lsp.lsp.server import ExportServer

STATUS: Final = "exportdb/status"


def tell(server: ExportServer, message: str = "", *, error: bool = False) -> None:
    """Send the state: busy while something is exported or checked, error when the last thing went wrong."""
    if not server.client.shows_status:
        return
    busy = server.running_tasks.busy
    state = "error" if error else "busy" if busy else "idle"
    place = server.place(str(server.documents.base / "model.py"))
    server.protocol.notify(
        STATUS,
        {
            "state": state,
            "message": message,
            "interpreter": place.interpreter,
            "torch": place.torch,
            "version": __version__,
        },
    )


def describe(server: ExportServer, filename: str | None = None) -> dict[str, Any]:
    """The answer of `exportdb.status`: what holds for a file, or else for the first folder."""
    place = server.place(filename or str(server.documents.base / "model.py"))
    return {
        "version": __version__,
        "interpreter": place.interpreter,
        "torch": place.torch,
        "modes": [mode.value for mode in place.user.modes],
        "busy": server.running_tasks.busy,
        "trusted": server.trusted,
    }
