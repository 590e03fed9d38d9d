"""The support matrix: cases x versions x modes."""

from __future__ import annotations

import html

import verdicts
from exportdb_cases.collection import FAMILIES, Case, all_cases
from exportdb_rules import verdict_table
from exportdb_rules.finding import Mode

# One letter a verdict: a row has to show many versions in both modes.
_OFFICIAL = "official"
_LETTERS = {"ok": "✓", "fails": "F", "diverges": "D", "specializes": "S", "-": "–"}


def pages() -> dict[str, str]:
    """Path -> text."""
    return {"support.md": _page()}


def _page() -> str:
    versions = list(reversed(verdict_table.versions()))
    head = "".join(f'<th colspan="2">{version}</th>' for version in versions)
    modes = "".join("<th>N</th><th>S</th>" for _ in versions)
    official = [case for case in all_cases() if _shipped(case) in verdict_table.records(versions[0])]
    rows = "\n".join(
        [_row(case, case.name, case.family, versions) for case in all_cases()]
        + [_row(case, _shipped(case), _OFFICIAL, versions) for case in official]
    )
    tags = sorted({tag for case in all_cases() for tag in case.tags})
    fields = [
        _choice(
            "Family",
            "all families",
            [*((family, family.replace("_", " ")) for family in FAMILIES), (_OFFICIAL, "ExportDB's own programs")],
        ),
        _choice("Tag", "all tags", [(tag, tag) for tag in tags]),
        _choice("Version", "all versions", [(version, f"torch {version}") for version in versions]),
        _choice("Mode", "both modes", [(mode.value, mode.value) for mode in Mode]),
        _choice("Verdict", "any verdict", [(word, word) for word in _LETTERS if word != "-"]),
    ]
    return f"""---
hide: [navigation, toc]
---

# What torch.export supports

Every cell is measured: the program was exported with that torch version in that mode, and compared with eager.
N: non-strict, S: strict. <span class="verdict ok">✓</span> exports, and computes the same as eager;
<span class="verdict fails">F</span> fails: export raises; <span class="verdict diverges">D</span> diverges: exports, but
computes something else; <span class="verdict specializes">S</span> specializes: rejects other sizes of a dynamic
dimension; – not measurable on that version. `official/` are the ExportDB programs that ship with torch; each has a case
of the same name here. See [the verdicts](guide/verdicts.md) and
[how they are measured](how-it-works.md#how-a-verdict-is-measured).

<div id="matrix-filter">
<input type="search" placeholder="cond, item, shape …" aria-label="Text">
{"".join(fields)}
<label><input type="checkbox"> changes between versions</label>
<span id="matrix-count" role="status"></span>
</div>

<div id="matrix">
<table data-versions="{" ".join(versions)}" data-modes="{" ".join(mode.value for mode in Mode)}">
<thead><tr><th rowspan="2">case</th>{head}</tr><tr>{modes}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
"""


def _choice(label: str, everything: str, values: list[tuple[str, str]]) -> str:
    options = "".join(f'<option value="{value}">{text}</option>' for value, text in values)
    return f'<select aria-label="{label}"><option value="">{everything}</option>{options}</select>\n'


def _shipped(case: Case) -> str:
    """The name that the program has in a measurement which ships inside torch and teaches the lesson of `case`."""
    return f"official/{case.name}"


def _row(case: Case, name: str, family: str, versions: list[str]) -> str:
    words = [verdicts.of(name, version, mode) for version in versions for mode in Mode]
    cells = "".join(f'<td class="{"none" if word == "-" else word}">{_LETTERS[word]}</td>' for word in words)
    about = html.escape(case.description, quote=True)
    return (
        f'<tr data-family="{family}" data-tags="{" ".join(sorted(case.tags))}">'
        f'<td><a href="../cases/{case.name}/" title="{about}">{name}</a></td>{cells}</tr>'
    )
