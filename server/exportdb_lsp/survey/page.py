"""A survey as one HTML page that needs nothing else."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.links import rule_page
from exportdb_lsp.survey.summary import settings_of, summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from exportdb_lsp.survey.summary import Surveyed


def page(title: str, versions: str, classes: Sequence[Surveyed], rules: Mapping[str, str]) -> str:
    """The page. `rules` gives the name of each rule by its code."""
    data = {
        "settings": [setting.value for setting in settings_of(classes)],
        "outcomes": [outcome.value for outcome in Outcome],
        "pages": {code: rule_page(name) for code, name in rules.items()},
        "classes": [_shown(one) for one in classes],
    }
    # The text of a script element ends at the first `</`, whatever it stands in.
    blob = json.dumps(data).replace("<", "\\u003c")
    template = files("exportdb_lsp.survey").joinpath("page.html").read_text("utf-8")
    words = {"TITLE": escape(title), "VERSIONS": escape(versions), "SUMMARY": _summary(classes), "DATA": blob}
    for word, text in words.items():
        template = template.replace(f"@{word}@", text)
    return template


def _shown(one: Surveyed) -> dict[str, Any]:
    return {
        "class": one.name,
        "place": one.place,
        "verdicts": {
            setting.value: {"outcome": row.outcome.value, "message": row.message, "inputs": row.inputs}
            for setting, row in one.rows.items()
        },
        "lines": [{"place": line.place, "code": line.code, "rule": line.rule} for line in one.lines],
        "fixed": [
            {"place": line.place, "code": line.code, "size": line.message}
            for row in one.rows.values()
            for line in row.fixed
        ],
    }


def _summary(classes: Sequence[Surveyed]) -> str:
    total = summary(classes)
    rows = "".join(
        f"<tr><th>{setting.value}</th>"
        + "".join(f"<td>{total.outcomes[setting][outcome] or ''}</td>" for outcome in Outcome)
        for setting in total.outcomes
    )
    head = "".join(f"<th>{outcome.value}</th>" for outcome in Outcome)
    return (
        f"<p>{total.classes} classes, {total.built} of them ran in eager. Exports failed on {total.lines} lines; "
        f"<code>check</code> reports {total.found} of them. {total.whole} classes keep every size dynamic under "
        f"<code>Dim.AUTO</code>.</p><table class=counts><tr><th></th>{head}</tr>{rows}</table>"
    )
