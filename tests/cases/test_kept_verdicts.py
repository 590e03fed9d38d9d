"""The kept verdicts are those that the installed torch gives: every case is exported again, in both modes.

The cases are cut into parts so that several workers share them; torch is imported once a part.
"""

from __future__ import annotations

import sys
from importlib.metadata import version

import pytest
from exportdb_cases import support_file
from exportdb_cases.collection import all_cases
from exportdb_lsp.measure.run import MeasureRequest, measure
from exportdb_rules import support

TORCH = version("torch").split("+")[0]
PARTS = 2


@pytest.mark.skipif(TORCH not in support.versions(), reason=f"torch {TORCH} was not measured yet")
@pytest.mark.parametrize("part", range(PARTS))
def test_every_case_does_what_was_measured(part: int) -> None:
    cases = all_cases()[part::PARTS]
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


def _told(record: support_file.Record | None) -> tuple[object, ...] | None:
    return (record.verdict, record.exception, record.line) if record else None
