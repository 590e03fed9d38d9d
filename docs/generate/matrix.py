"""The support matrix: cases x versions x modes."""

from __future__ import annotations

import html

import verdicts
from exportdb_cases.collection import FAMILIES, all_cases
from exportdb_rules import support
from exportdb_rules.finding import Mode

# One letter a verdict: a row has to show many versions in both modes.
_LETTERS = {"ok": "✓", "fails": "F", "diverges": "D", "specializes": "S", "-": "–"}


def pages() -> dict[str, str]:
    """Path -> text."""
    return {"support.md": _page()}


def _page() -> str:
    versions = list(reversed(support.versions()))
    head = "".join(f'<th colspan="2">{version}</th>' for version in versions)
    modes = "".join("<th>N</th><th>S</th>" for _ in versions)
    rows = "\n".join(_row(case.name, case.family, case.description, versions) for case in all_cases())
    families = "".join(f'<option value="{family}">{family.replace("_", " ")}</option>' for family in FAMILIES)
    words = "".join(f'<option value="{word}">{word}</option>' for word in _LETTERS if word != "-")
    return f"""---
hide: [navigation, toc]
---

# What torch.export supports

Every cell was measured: the program was exported by that version of torch, in that mode, and the result was run beside
eager. N: non-strict, S: strict. <span class="verdict ok">✓</span> exports and computes what eager computes,
<span class="verdict fails">F</span> export raises, <span class="verdict diverges">D</span> diverges: exports, and
computes something else, <span class="verdict specializes">S</span> specializes: other sizes are refused although they
were asked for. – not measurable there. [What the words mean](guide/verdicts.md), and
[how it is measured](how-it-works.md#how-a-verdict-is-measured).

<div id="matrix-filter">
<input type="search" placeholder="cond, item, shape …" aria-label="Text">
<select aria-label="Family"><option value="">all families</option>{families}</select>
<select aria-label="Verdict"><option value="">any verdict</option>{words}</select>
<span id="matrix-count"></span>
</div>

<div id="matrix">
<table>
<thead><tr><th rowspan="2">case</th>{head}</tr><tr>{modes}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
"""


def _row(case: str, family: str, description: str, versions: list[str]) -> str:
    words = [verdicts.of(case, version, mode) for version in versions for mode in Mode]
    cells = "".join(f'<td class="cell"><span class="verdict {word}">{_LETTERS[word]}</span></td>' for word in words)
    title = html.escape(description, quote=True)
    return (
        f'<tr data-family="{family}" data-verdicts="{" ".join(sorted({*words}))}">'
        f'<td><a href="../cases/{case}/" title="{title}">{case}</a></td>{cells}</tr>'
    )
