"""Everything that the server can do, by module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_lsp.lsp import (
    actions,
    commands,
    configuration,
    diagnostics,
    hover,
    inlay,
    lens,
    logs,
    synchronization,
    watching,
    workspace_check,
)

if TYPE_CHECKING:
    from exportdb_lsp.lsp.server import ExportServer


def register(server: ExportServer) -> None:
    """Let every module register what it answers."""
    for module in (
        synchronization,
        configuration,
        watching,
        diagnostics,
        workspace_check,
        actions,
        lens,
        hover,
        inlay,
        commands,
        logs,
    ):
        module.register(server)
