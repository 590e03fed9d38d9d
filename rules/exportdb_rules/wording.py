"""How messages quote the user's own code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exportdb_rules.values import Site

LONGEST = 60


def quote(site: Site) -> str:
    """The expression at a site as the user wrote it, on one line, shortened, between backticks."""
    return f"`{source_of(site)}`"


def source_of(site: Site) -> str:
    """The text of the expression at a site, on one line and shortened."""
    node = site.node
    row, end_row = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if row is None or end_row is None:
        return "…"
    lines = site.module.lines.rows[row - 1 : end_row]
    if not lines:
        return "…"
    start, end = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
    encoded = [line.encode("utf-8", "surrogatepass") for line in lines]
    encoded[-1] = encoded[-1][:end]
    encoded[0] = encoded[0][start:]
    text = " ".join(part.decode("utf-8", "replace").strip() for part in encoded)
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
