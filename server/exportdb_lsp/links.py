"""Where the documentation stands on the web. The only place that knows."""

from __future__ import annotations

from typing import Final

SITE: Final = "https://exportdb-lsp.github.io/exportdb-lsp/"


def rule_page(name: str) -> str:
    """The page of a rule, by its name (`tensor-branch`)."""
    return f"{SITE}rules/{name}/"


def case_page(name: str) -> str:
    """The page of a case, by its name."""
    return f"{SITE}cases/{name}/"


def graph_break_page(graph_break: str) -> str:
    """torch's page of a graph break, by its id (`GB0170`)."""
    return f"https://meta-pytorch.github.io/compile-graph-break-site/gb/{graph_break.lower()}.html"
