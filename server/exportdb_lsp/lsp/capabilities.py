"""Everything that the server can do, by module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_lsp.lsp import (
    actions,
    call_hierarchy,
    commands,
    configuration,
    diagnostics,
    document_links,
    hover,
    inlay,
    lens,
    logs,
    suppression_comments,
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
        suppression_comments,
        document_links,
        call_hierarchy,
        commands,
        logs,
    ):
        module.register(server)
