"""What the client can do, read once from its capabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from lsprotocol import types
from pygls.capabilities import get_capability


@dataclass(frozen=True)
class Client:
    """One field for everything that this server does differently for different clients."""

    pulls: bool = False
    """It asks for diagnostics, and can be told to ask again: an export changes them where no text has changed."""
    related: bool = False
    code_description: bool = False
    diagnostic_data: bool = False
    unnecessary_tag: bool = False
    version_in_diagnostics: bool = False
    action_literals: bool = False
    resolves_edits: bool = False
    action_data: bool = False
    preferred_actions: bool = False
    versioned_edits: bool = False
    applies_edits: bool = False
    refreshes_lenses: bool = False
    refreshes_hints: bool = False
    resolves_lenses: bool = False
    resolves_hints: bool = False
    link_tooltips: bool = False
    progress: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    registers_watchers: bool = False
    markdown: bool = False
    shows_documents: bool = False
    shows_graphs: bool = False
    """Not of the protocol: it has a view of its own for what `exportdb.showGraph` answers."""
    shows_status: bool = False
    """Not of the protocol: it knows `exportdb/status`, of which others would tell their users that they do not."""

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities, options: object = None) -> Client:
        """The client with these capabilities and initialization options; what it does not name it cannot do."""

        def has(path: str) -> bool:
            return bool(get_capability(capabilities, path, False))

        def listed(path: str) -> list[str]:
            found: object = get_capability(capabilities, path, None)
            return [str(getattr(v, "value", v)) for v in found] if isinstance(found, (list, tuple)) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]

        own: Mapping[str, object] = cast("Mapping[str, object]", options) if isinstance(options, Mapping) else {}
        pushed, pulled = "text_document.publish_diagnostics", "text_document.diagnostic"
        tags = [*listed(f"{pushed}.tag_support.value_set"), *listed(f"{pulled}.tag_support.value_set")]
        return cls(
            pulls=get_capability(capabilities, pulled, None) is not None
            and has("workspace.diagnostics.refresh_support"),
            related=has(f"{pushed}.related_information") or has(f"{pulled}.related_information"),
            code_description=has(f"{pushed}.code_description_support") or has(f"{pulled}.code_description_support"),
            diagnostic_data=has(f"{pushed}.data_support") or has(f"{pulled}.data_support"),
            unnecessary_tag=str(types.DiagnosticTag.Unnecessary.value) in tags,
            version_in_diagnostics=has(f"{pushed}.version_support"),
            action_literals=get_capability(capabilities, "text_document.code_action.code_action_literal_support", None)
            is not None,
            resolves_edits="edit" in listed("text_document.code_action.resolve_support.properties"),
            action_data=has("text_document.code_action.data_support"),
            preferred_actions=has("text_document.code_action.is_preferred_support"),
            versioned_edits=has("workspace.workspace_edit.document_changes"),
            applies_edits=has("workspace.apply_edit"),
            refreshes_lenses=has("workspace.code_lens.refresh_support"),
            refreshes_hints=has("workspace.inlay_hint.refresh_support"),
            resolves_lenses="command" in listed("text_document.code_lens.resolve_support.properties"),
            resolves_hints="tooltip" in listed("text_document.inlay_hint.resolve_support.properties"),
            link_tooltips=has("text_document.document_link.tooltip_support"),
            progress=has("window.work_done_progress"),
            configuration=has("workspace.configuration"),
            registers_configuration=has("workspace.did_change_configuration.dynamic_registration"),
            registers_watchers=has("workspace.did_change_watched_files.dynamic_registration"),
            markdown="markdown" in listed("text_document.hover.content_format"),
            shows_documents=has("window.show_document.support"),
            shows_graphs=own.get("showsGraphs") is True,
            shows_status=own.get("showsStatus") is True,
        )
