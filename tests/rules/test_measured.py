"""Every case of the collection, in both modes: check says what the real export was measured to do, and where."""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path

import exportdb_cases
import pytest
from exportdb_cases.collection import all_cases
from exportdb_rules.engine import Project, Report, Settings, check
from exportdb_rules.finding import Confidence, Finding, Mode, Verdict
from exportdb_rules.verdict_table import records
from gaps import LINE, MISSED

# What the cases find installed beside torch.
PACKAGES = (sysconfig.get_path("purelib"),)

VERSION = "2.13.0"
FOLDER = Path(exportdb_cases.__file__).parent
# One for all: what lies in the folder is looked up once.
PROJECT = Project(FOLDER)
CASES = {case.name: case for case in all_cases()}
MEASURED = {
    (case, mode): record
    for case, modes in records(VERSION).items()
    for mode in Mode
    if case in CASES and (record := modes.get(mode.value)) is not None and record.verdict is not None
}


@cache
def checked(case: str) -> Report:
    program = CASES[case]
    settings = Settings(VERSION, tuple(Mode), program.assume_dynamic, packages=PACKAGES)
    report = check(PROJECT, str(program.path), settings)
    PROJECT.end(str(program.path))
    return report


def said(case: str, mode: Mode) -> list[Finding]:
    return [
        finding
        for finding in checked(case).findings
        if finding.verdict[mode] is not Verdict.OK and finding.confidence is not Confidence.POSSIBLE
    ]


def agrees(case: str, mode: Mode) -> bool:
    """The measured verdict is among those of the findings; a case that exports has none."""
    verdict = Verdict(MEASURED[case, mode].verdict)
    found = {finding.verdict[mode] for finding in said(case, mode)}
    return not found if verdict is Verdict.OK else verdict in found


@pytest.mark.parametrize(("case", "mode"), MEASURED, ids=lambda value: getattr(value, "value", value))
def test_check_says_what_export_does(case: str, mode: Mode) -> None:
    assert not checked(case).problems
    modes, reason = MISSED.get(case, ((), ""))
    if mode in modes:
        assert not agrees(case, mode), f"{case} agrees now in {mode.value}: take it out of gaps.py ({reason})"
    else:
        found = [(f.code, f.verdict[mode].value, f.span.start.row) for f in said(case, mode)]
        assert agrees(case, mode), f"measured {MEASURED[case, mode].verdict}, found {found}"


WITH_LINES = [(case, mode) for (case, mode), record in MEASURED.items() if record.line is not None]


@pytest.mark.parametrize(("case", "mode"), WITH_LINES, ids=lambda value: getattr(value, "value", value))
def test_the_finding_stands_where_export_stops(case: str, mode: Mode) -> None:
    if mode in MISSED.get(case, ((), ""))[0]:
        pytest.skip("known gap")
    line = MEASURED[case, mode].line
    assert line is not None
    found = [(f.code, f.span.start.row, f.span.end.row) for f in said(case, mode) if f.verdict[mode] is Verdict.FAILS]
    right = any(first <= line <= last for _, first, last in found)
    if f"{case} {mode.value}" in LINE:
        assert not right, f"{case} stands on the right line now in {mode.value}: take it out of gaps.py"
    else:
        assert right, f"export stops at line {line}, found {found}"


def test_gaps_are_cases() -> None:
    assert set(MISSED) <= set(CASES)
    assert {name.split()[0] for name in LINE} <= set(CASES)


def test_twins_that_export_are_silent() -> None:
    """The collection has a good twin for most bad cases; that is what keeps the rules from crying wolf."""
    good = [case for case in CASES if case.endswith("_ok") and case not in MISSED]
    assert len(good) > 100
    loud = {case: [f.code for f in checked(case).findings] for case in good if said(case, Mode.NON_STRICT)}
    assert loud == {}
