"""Every program is broken before, fixed by the engine, clean after, exports in both modes, and computes the same.

The fixed text stands beside the program and is compared in every run, so that a review shows what a change of a rewrite
does. It is proven where its proof is not recorded (proofs.py), and for another tenth of the programs each day; `make
prove` writes the texts, proves all and records that. The comments of the user stay. The last line of a program names the
rules whose fixes mend it.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import proof
import pytest
from exportdb_rules.rule import Rule, registry

from .. import proofs
from . import record

ENOUGH = 4

# Where a finding has several fixes, the one that the folder is about.
WANTED = {"cond": "torch.cond"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    everything = record.programs()
    if "proven" in metafunc.fixturenames:
        metafunc.parametrize("proven", proofs.due_now("fixes", record.keys(), metafunc.config))
    elif "path" in metafunc.fixturenames:
        metafunc.parametrize("path", everything.values(), ids=everything)


def mends(text: str) -> frozenset[str]:
    """The rules that a program names."""
    last = re.search(r"^# mended: (.*)\Z", text.rstrip(), flags=re.MULTILINE)
    return frozenset(last[1].split()) if last is not None else frozenset()


def test_the_fixes_make_the_text_beside_the_program_and_keep_the_comments(
    path: Path, request: pytest.FixtureRequest
) -> None:
    before = path.read_text("utf-8")
    fixed = proof.repair(before, wanted=WANTED.get(path.parent.name, ""))
    assert fixed.codes, "no fix was offered"
    assert fixed.codes == mends(before)
    assert not [(f.code, f.span.start, f.message) for f in fixed.left], fixed.text
    comments = [line.split("#", 1)[1] for line in before.splitlines() if "#" in line]
    assert [c for c in comments if f"#{c}" not in fixed.text] == []
    if request.config.getoption("--prove"):
        record.fixed(path).write_text(fixed.text, "utf-8")
    assert fixed.text == record.fixed(path).read_text("utf-8"), "`make prove` writes it anew and proves it"


def test_the_fixed_program_exports_and_computes_the_same(proven: str, request: pytest.FixtureRequest) -> None:
    path = record.programs()[proven]
    before, after = path.read_text("utf-8"), record.fixed(path).read_text("utf-8")
    assert proof.fails(before), "the program exports as it is: it proves nothing"
    proof.prove(before, after)
    proofs.passed(request, "fixes", {proven: record.key(path)})


def test_every_rule_with_a_fix_is_proven_by_four_programs() -> None:
    proven = Counter(code for path in record.programs().values() for code in mends(path.read_text("utf-8")))
    # What a goal's tool ignores torch.export takes: tests/rules/test_onnx_calls.py gives those fixed calls to the tool.
    mending = {rule.code for rule in registry() if type(rule).fixes is not Rule.fixes and not rule.goal}
    assert {code: proven[code] for code in sorted(mending) if proven[code] < ENOUGH} == {}
    assert proven.keys() <= mending, "a program names a rule that has no fix"


def test_a_proof_is_made_again_for_other_texts_and_once_in_ten_days(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    record.fixed(path).write_text("after")
    path.write_text("before")
    here = {"some": record.key(path)}
    assert [proofs.due(here, here, day) for day in range(10)].count(["some"]) == 1
    for beside in (path, record.fixed(path)):
        beside.write_text(beside.read_text() + "!")
        now = {"some": record.key(path)}
        assert all(proofs.due(now, here, day) for day in range(10))
        here = now
    assert all(proofs.due(here, {}, day) for day in range(10))
