"""Every program is broken before, fixed by the engine, clean after, exports in both modes, and computes the same.

The comments of the user stay. The last line of a program names the rules whose fixes mend it.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import proof
import pytest
from exportdb_rules.rule import Rule, registry

PROGRAMS = sorted((Path(__file__).parent.parent / "data" / "fixes").glob("*/*.py"))
ENOUGH = 4

# Where a finding has several fixes, the one that the folder is about.
WANTED = {"cond": "torch.cond"}


def mends(text: str) -> frozenset[str]:
    """The rules that a program names."""
    last = re.search(r"^# mended: (.*)\Z", text.rstrip(), flags=re.MULTILINE)
    return frozenset(last[1].split()) if last is not None else frozenset()


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_the_fixed_program_exports_and_computes_the_same_and_keeps_the_comments(path: Path) -> None:
    before = path.read_text()
    assert proof.fails(before), "the program exports as it is: it proves nothing"
    fixed = proof.repair(before, wanted=WANTED.get(path.parent.name, ""))
    assert fixed.codes, "no fix was offered"
    assert fixed.codes == mends(before)
    assert not [(f.code, f.span.start, f.message) for f in fixed.left], fixed.text
    comments = [line.split("#", 1)[1] for line in before.splitlines() if "#" in line]
    assert [c for c in comments if f"#{c}" not in fixed.text] == []
    proof.prove(before, fixed.text)


def test_every_rule_with_a_fix_is_proven_by_four_programs() -> None:
    proven = Counter(code for path in PROGRAMS for code in mends(path.read_text()))
    mending = {rule.code for rule in registry() if type(rule).fixes is not Rule.fixes}
    assert {code: proven[code] for code in sorted(mending) if proven[code] < ENOUGH} == {}
    assert proven.keys() <= mending, "a program names a rule that has no fix"
