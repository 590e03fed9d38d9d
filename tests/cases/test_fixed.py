"""The fixed twin of a case: what the fixes make of it computes the same and really exports, in both modes.

The texts are made anew from the cases, and exported again (which ones, says `proofs`); what came out is kept, for
`cases show` and the documentation.
If a rewrite or a case was changed: exportdb-lsp cases run --fixed
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.metadata import version

import pytest
from exportdb_cases import support_file
from exportdb_cases.collection import all_cases, find, fingerprint
from exportdb_lsp.measure.fixed import fix, measure_fixed
from exportdb_lsp.measure.run import MeasureRequest
from exportdb_rules import verdict_table
from exportdb_rules.engine import Project

from .. import proofs
from .probe import SOURCES

TORCH = version("torch").split("+")[0]
KEPT = support_file.read(support_file.fixed_path_for(TORCH)) if TORCH in verdict_table.fixed_versions() else None
measured_here = pytest.mark.skipif(KEPT is None, reason=f"the fixed cases were not measured on torch {TORCH}")


# A fix that leaves nothing to find and yet does not export faithfully, and why. It may only shrink: a case that is ok
# must not stand here.
NOT_WHOLE = {
    "ceil_named": "under Dim.DYNAMIC a size of 2 is refused, whose half is 1",
    "dynamic_shape_round": "under Dim.DYNAMIC a size of 2 is refused, whose half is 1",
    "floor_division_named": "under Dim.DYNAMIC a size of 2 is refused, whose half is 1",
    "floor_named": "under Dim.DYNAMIC a size of 2 is refused, whose half is 1",
    "round_named": "under Dim.DYNAMIC a size of 2 is refused, whose half is 1",
    "shape_modulo": "a size of up to 4 is refused, which makes one block",
    "shape_modulo_named": "a size of up to 4 is refused, which makes one block",
    "size_one_computed": "a size of 2 is refused, of which 1 is left",
    "size_one_computed_dynamic": "a size of 2 is refused, of which 1 is left",
    "size_one_range": "sizes up to 4 are refused, of which 1 is left",
    "size_one_range_dynamic": "sizes up to 4 are refused, of which 1 is left",
    "topk_of_quotient_named": "under Dim.DYNAMIC a size of 3 is refused, whose half is 1",
}


# What the fix makes of these is more to export than one object: a registered class is compared by its parts, a set or a
# generator by its elements.
IN_PARTS = {
    "cache_output",
    "class_input",
    "class_output",
    "dataclass_input",
    "dataclass_output",
    "dict_subclass_input",
    "dict_subclass_output",
    "generator_output",
    "set_output",
}


# What is mended of these is the example: other sizes than the case's go in, and others come out.
OTHER_EXAMPLE = {
    *(f"size_one{computed}{kind}" for computed in ("", "_computed", "_range") for kind in ("", "_named", "_dynamic")),
    "size_one_range_needed_named",
    "dim_range_excludes_example",
    "size_zero",
}


@measured_here
def test_the_kept_texts_are_those_that_the_fixes_make() -> None:
    assert KEPT is not None
    project = Project()
    made = {case.name: fingerprint(done.text) for case in all_cases() if (done := fix(case, TORCH, project))}
    assert made == KEPT.fingerprints


def _keys() -> dict[str, str]:
    sources = {case.name: case.source for case in all_cases()}
    texts = KEPT.fingerprints if KEPT is not None else {}
    return {name: proofs.key(SOURCES, sources[name], made) for name, made in texts.items()}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "part" in metafunc.fixturenames:
        parts = proofs.parts(proofs.due_now("fixed_cases", _keys(), metafunc.config))
        metafunc.parametrize("part", parts, ids=[*map(str, range(len(parts)))])


@measured_here
def test_what_the_fixes_make_of_a_case_does_what_was_measured(part: list[str], request: pytest.FixtureRequest) -> None:
    assert KEPT is not None
    keys, names = _keys(), {*part}
    cases = [case for case in all_cases() if case.name in names]
    measured = measure_fixed(cases, TORCH, MeasureRequest((), interpreter=sys.executable, timeout=300))
    assert _told(measured.records) == _told({name: KEPT.records[name] for name in names})
    proofs.passed(request, "fixed_cases", {name: keys[name] for name in names})


def _told(records: Mapping[str, Mapping[str, support_file.Record]]) -> dict[str, object]:
    return {
        f"{name} {mode}": (record.verdict, record.eager)
        for name, modes in records.items()
        for mode, record in modes.items()
    }


@measured_here
def test_a_fixed_case_exports_in_both_modes_and_computes_what_the_case_computes() -> None:
    """Where a finding is left, the fix is the first of several steps and need not be enough."""
    assert KEPT is not None
    assert len(KEPT.records) >= 40
    assert {name for name, modes in KEPT.records.items() if {*modes} != {"strict", "non-strict"}} == set()
    bad = {
        name
        for name, modes in KEPT.records.items()
        if any(
            record.verdict != "ok" or (record.eager and name not in IN_PARTS | OTHER_EXAMPLE)
            for record in modes.values()
        )
    }
    project = Project()
    whole = {name for name in bad if (case := find(name)) and (done := fix(case, TORCH, project)) and not done.left}
    assert whole == {*NOT_WHOLE}


@measured_here
def test_a_case_that_exports_as_it_is_is_left_alone() -> None:
    assert KEPT is not None
    assert [name for name in KEPT.records if verdict_table.measured(name, TORCH) == ("ok", "ok")] == []


def test_a_case_without_a_fix_has_no_fixed_twin() -> None:
    case = find("tensor_if_ok")
    assert case is not None
    assert fix(case, TORCH, Project()) is None
