"""On other versions of torch than the one that the tests run on, check says what was measured there.

`tests/rules` holds it to the letter for one version. Older versions fail on more than the rules know of, so what is
missed there has a limit; a warning about what exports fine has none.
"""

from __future__ import annotations

import sysconfig

import pytest
from exportdb_cases.collection import all_cases
from exportdb_rules import verdict_table
from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.finding import Confidence, Mode, Verdict

# What the cases find installed beside torch.
PACKAGES = (sysconfig.get_path("purelib"),)

VERSIONS = verdict_table.versions()
# The oldest, one in the middle, the newest.
CHECKED = (VERSIONS[0], VERSIONS[len(VERSIONS) // 2], VERSIONS[-1])
MAX_MISSED = 0.15
LOUD = {
    # torch decides there what the rule still takes for undecided.
    ("2.15.0", "check_not_item", Mode.STRICT),
    # Forms that a version takes although it refuses the general case that the rule goes by (`dim_minimum`, `shape_modulo` …).
    *(("2.5.1", case, mode) for case in ("shape_half_unequal", "topk_of_quotient_named") for mode in Mode),
    *(("2.5.1", case, Mode.NON_STRICT) for case in ("numpy_kept_index", "randint_between_tensor", "topk_of_min_ok")),
    *((version, "computed_size_named", Mode.STRICT) for version in ("2.5.1", "2.10.0")),
    *(("2.10.0", "stft_named", mode) for mode in Mode),
}


@pytest.mark.parametrize("version", CHECKED)
def test_check_agrees_with_what_was_measured(version: str) -> None:
    loud: list[tuple[str, str, Mode]] = []
    missed: list[tuple[str, Mode]] = []
    total = 0
    project = Project()
    for case in all_cases():
        measured = dict(zip(Mode, verdict_table.measured(case.name, version), strict=True))
        if not any(measured.values()):
            continue
        report = check(project, str(case.path), Settings(version, tuple(Mode), case.assume_dynamic, packages=PACKAGES))
        project.end(str(case.path))
        findings = [found for found in report.findings if found.confidence is not Confidence.POSSIBLE]
        for mode, word in measured.items():
            if word is None:
                continue
            total += 1
            said = {found.verdict[mode] for found in findings} - {Verdict.OK}
            if word == "ok" and said:
                loud.append((version, case.name, mode))
            elif word != "ok" and Verdict(word) not in said:
                missed.append((case.name, mode))
    assert {*loud} <= LOUD
    assert len(missed) <= MAX_MISSED * total, missed
