"""The kept verdicts are those that the installed torch gives: cases are exported again, in both modes.

Which ones, says `proofs`. Many are cut into parts, which several workers share; torch is imported once a part.
"""

from __future__ import annotations

import sys
from importlib.metadata import version

import pytest
from exportdb_cases import support_file
from exportdb_cases.collection import all_cases
from exportdb_lsp.measure.run import MeasureRequest, measure
from exportdb_rules import verdict_table

from .. import proofs
from .probe import SOURCES

TORCH = version("torch").split("+")[0]
KEYS = {case.name: proofs.key(SOURCES, case.source) for case in all_cases()}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "part" in metafunc.fixturenames:
        parts = proofs.parts(proofs.due_now("cases", KEYS, metafunc.config))
        metafunc.parametrize("part", parts, ids=[*map(str, range(len(parts)))])


@pytest.mark.skipif(TORCH not in verdict_table.versions(), reason=f"torch {TORCH} was not measured yet")
def test_a_case_does_what_was_measured(part: list[str], request: pytest.FixtureRequest) -> None:
    names = {*part}
    cases = tuple(case for case in all_cases() if case.name in names)
    kept = support_file.read(support_file.path_for(TORCH)).records
    measured = measure(MeasureRequest(cases, interpreter=sys.executable, timeout=300)).records
    differences = {
        f"{case.name} {mode}": (before, now)
        for case in cases
        for mode, record in measured[case.name].items()
        if (now := (record.verdict, record.exception, record.line))
        != (before := _told(kept.get(case.name, {}).get(mode)))
    }
    assert differences == {}
    proofs.passed(request, "cases", {name: KEYS[name] for name in names})


def _told(record: support_file.Record | None) -> tuple[object, ...] | None:
    return (record.verdict, record.exception, record.line) if record else None
