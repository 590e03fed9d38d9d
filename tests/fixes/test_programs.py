"""Every program is broken before, fixed by the engine, clean after, exports in both modes, and computes the same."""

from __future__ import annotations

from pathlib import Path

import proof
import pytest

PROGRAMS = sorted((Path(__file__).parent.parent / "data" / "fixes").glob("*/*.py"))

# Where a finding has several fixes, the one that the folder is about.
WANTED = {"cond": "torch.cond"}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_the_fixed_program_exports_and_computes_the_same(path: Path) -> None:
    before = path.read_text()
    assert proof.fails(before), "the program exports as it is: it proves nothing"
    fixed = proof.repair(before, wanted=WANTED.get(path.parent.name, ""))
    assert fixed.titles, "no fix was offered"
    assert not [(f.code, f.span.start, f.message) for f, _ in proof.offers(fixed.text)], fixed.text
    proof.prove(before, fixed.text)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_the_users_comments_survive(path: Path) -> None:
    before = path.read_text()
    after = proof.repair(before, wanted=WANTED.get(path.parent.name, "")).text
    comments = [line.split("#", 1)[1] for line in before.splitlines() if "#" in line]
    assert [c for c in comments if f"#{c}" not in after] == []
