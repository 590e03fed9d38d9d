"""The fixed twin of a case: what the fixes make of it computes the same and really exports, in both modes.

The texts are made anew from the cases and exported again; what came out is kept, for `cases show` and the documentation.
If a rewrite or a case was changed: exportdb-lsp cases run --fixed
"""

from __future__ import annotations

import sys
from importlib.metadata import version

import pytest
from exportdb_cases import support_file
from exportdb_cases.collection import all_cases, find
from exportdb_lsp.measure.fixed import fix, measure_fixed
from exportdb_lsp.measure.run import MeasureRequest
from exportdb_rules import support

TORCH = version("torch").split("+")[0]
PARTS = 2
KEPT = support_file.read(support_file.fixed_path_for(TORCH)) if TORCH in support.fixed_versions() else None
measured_here = pytest.mark.skipif(KEPT is None, reason=f"the fixed cases were not measured on torch {TORCH}")


@measured_here
@pytest.mark.parametrize("part", range(PARTS))
def test_what_the_fixes_make_of_a_case_does_what_was_measured(part: int) -> None:
    assert KEPT is not None
    cases = all_cases()[part::PARTS]
    names = {case.name for case in cases}
    measured = measure_fixed(cases, TORCH, MeasureRequest((), interpreter=sys.executable, timeout=300))
    assert measured.fingerprints == {name: text for name, text in KEPT.fingerprints.items() if name in names}
    assert {
        f"{name} {mode}": (record.verdict, record.eager)
        for name, modes in measured.records.items()
        for mode, record in modes.items()
    } == {
        f"{name} {mode}": (record.verdict, record.eager)
        for name, modes in KEPT.records.items()
        if name in names
        for mode, record in modes.items()
    }


@measured_here
def test_every_fixed_case_exports_in_both_modes_and_computes_what_the_case_computes() -> None:
    assert KEPT is not None
    assert len(KEPT.records) >= 40
    assert {name: modes for name, modes in KEPT.records.items() if {*modes} != {"strict", "non-strict"}} == {}
    assert [
        (name, mode, record)
        for name, modes in KEPT.records.items()
        for mode, record in modes.items()
        if record.verdict != "ok" or record.eager
    ] == []


@measured_here
def test_a_case_that_exports_as_it_is_is_left_alone() -> None:
    assert KEPT is not None
    assert [name for name in KEPT.records if support.measured(name, TORCH) == ("ok", "ok")] == []


def test_a_case_without_a_fix_has_no_fixed_twin() -> None:
    case = find("tensor_if_ok")
    assert case is not None
    assert fix(case, TORCH) is None
