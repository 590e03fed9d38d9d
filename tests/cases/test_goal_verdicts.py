"""What the tool of a goal makes of the cases: the records are those of the cases as they are now, and a few are measured again."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec

import pytest
from exportdb_cases import support_file
from exportdb_cases.collection import find
from exportdb_lsp.measure.goal import measure_goal
from exportdb_lsp.measure.run import MeasureRequest
from exportdb_lsp.worker.goals import GOALS
from exportdb_rules import verdict_table
from exportdb_rules.finding import Mode, Verdict

TORCH = version("torch").split("+")[0]
FILES = sorted(path for goal in GOALS for path in (support_file.FOLDER / goal).glob("*.json"))
# So many are measured again, others each day.
EACH = 3
files = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name} {path.stem}")


@files
def test_the_records_are_of_the_cases_as_they_are(path) -> None:
    kept = support_file.read(path)
    assert kept.torch == path.stem
    texts = {name: case.fingerprint for name in kept.records if (case := find(name)) is not None}
    stale = sorted(name for name in kept.records if kept.fingerprints[name] != texts.get(name))
    assert stale == [], f"exportdb-lsp cases run --to {path.parent.name} --keep {' '.join(stale)}"


@files
def test_a_case_still_does_what_was_measured(path) -> None:
    goal = path.parent.name
    lacking = [name for name in GOALS[goal].packages if find_spec(name) is None]
    if lacking or path.stem != TORCH:
        pytest.skip(
            f"NOT MEASURED AGAIN: cases for {goal}, {', '.join(lacking) or f'torch {path.stem}'} is not installed here"
        )
    kept = support_file.read(path).records
    names = [name for name, modes in kept.items() if modes["non-strict"].verdict is not None]
    start = datetime.date.today().toordinal() * EACH
    todays = [names[(start + number) % len(names)] for number in range(EACH)]
    cases = tuple(case for name in todays if (case := find(name)) is not None)
    request = MeasureRequest(cases, (Mode.NON_STRICT,), interpreter=sys.executable, timeout=300)
    measured = measure_goal(request, goal).records
    assert {name: _told(measured[name]) for name in todays} == {name: _told(kept[name]) for name in todays}


def _told(modes: Mapping[str, support_file.Record]) -> tuple[object, ...]:
    record = modes["non-strict"]
    return record.verdict, record.line, record.frozen


def test_a_record_of_a_goal_holds_while_torch_export_does_the_same() -> None:
    mode = Mode.NON_STRICT
    record = verdict_table.goal_record("fixed_constant_named", "onnx", "2.13.0", mode)
    assert record == verdict_table.GoalRecord(Verdict.SPECIALIZES, frozen=True)
    assert verdict_table.goal_record("fixed_constant_named", "onnx", "2.14.0", mode) == record
    assert verdict_table.goal_record("fixed_constant_named", "executorch", "2.13.0", mode) is None
    assert verdict_table.goal_record("shape_branch_ok", "onnx", "2.13.0", mode) is None
    changed = [
        (case, torch)
        for case in verdict_table.records("2.13.0")
        for torch in verdict_table.versions()
        if verdict_table.goal_record(case, "onnx", "2.13.0", mode) is not None
        and verdict_table.verdict(case, torch, mode) is not verdict_table.verdict(case, "2.13.0", mode)
    ]
    assert changed, "a case whose verdict depends on the version of torch"
    assert all(verdict_table.goal_record(case, "onnx", torch, mode) is None for case, torch in changed)
