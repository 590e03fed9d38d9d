"""The table of goals says what their tools do: a part of it is measured again in each run."""

from __future__ import annotations

import datetime
import importlib.metadata
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from exportdb_lsp.worker.goals import GOALS, missing_compiler
from exportdb_rules import goal_table
from exportdb_rules.rule import registry
from exportdb_rules.unsupported_operator import UnsupportedOperator

SCRIPT = Path(__file__).parents[2] / "rules" / "scripts" / "goal_table.py"
# So many operators that a tool refuses, and as many that it takes, are measured in a run.
EACH = 2
MEASURED = goal_table.goals()


def todays(names: list[str]) -> list[str]:
    """A few names, others each day; none of none."""
    start = datetime.date.today().toordinal() * EACH
    return [names[(start + number) % len(names)] for number in range(EACH if names else 0)]


@pytest.mark.parametrize("goal", MEASURED)
def test_the_tools_still_do_what_the_table_says(goal: str) -> None:
    lacking = [name for name in GOALS[goal].packages if find_spec(name) is None]
    lacking += [compiler] if (compiler := missing_compiler(goal)) else []
    if lacking:
        pytest.skip(f"NOT MEASURED AGAIN: what {goal} refuses, for {', '.join(lacking)} is not installed here")
    rows = goal_table.operators(goal)
    # Not by an alias: the script measures an operator under its own name.
    refused = todays([name for name, cell in rows.items() if cell is not None and "." in name])
    taken = todays([name for name, cell in rows.items() if cell is None and "." in name])
    command = [sys.executable, str(SCRIPT), goal, "--check", "--only", ",".join((*refused, *taken))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\t") == 2 * len([*refused, *taken]), done.stdout


@pytest.mark.parametrize("goal", MEASURED)
def test_the_table_is_of_the_versions_that_are_installed(goal: str) -> None:
    for name, version in goal_table.versions(goal).items():
        if find_spec(name) is not None:
            assert importlib.metadata.version(name).partition("+")[0] == version


@pytest.mark.parametrize("goal", MEASURED)
def test_a_goal_that_refuses_an_operator_has_a_rule(goal: str) -> None:
    rules = [rule for rule in registry() if isinstance(rule, UnsupportedOperator)]
    refuses = any(cell is not None for cell in goal_table.operators(goal).values())
    assert [rule.goal for rule in rules].count(goal) == (1 if refuses else 0)


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("torch.linalg.inv", True),
        ("torch.inverse", True),
        ("Tensor.inverse", True),
        ("torch.nn.functional.fractional_max_pool2d", True),
        # Over all there is, ONNX has it.
        ("torch.nn.functional.adaptive_max_pool2d", False),
        ("torch.nn.AdaptiveMaxPool2d", False),
        ("torch.nn.ReLU", False),
        ("torch.add", False),
        ("Tensor.add_", False),
        ("torch.no_such_operator", False),
        ("mylib.linalg.inv", False),
    ],
)
def test_an_operator_is_known_by_what_it_is_called_by(name: str, refused: bool) -> None:
    assert (goal_table.refused("onnx", name) is not None) == refused


def test_aotinductor_takes_every_operator_that_was_measured() -> None:
    """Therefore it has no rule, and the guide says so."""
    assert len(goal_table.operators("aoti")) > 500
    assert set(goal_table.operators("aoti").values()) == {None}


def test_a_module_is_known_by_the_operator_that_it_calls() -> None:
    assert goal_table.refused("executorch", "torch.nn.AdaptiveMaxPool2d") is not None
    assert goal_table.refused("executorch", "torch.nn.BatchNorm2d") is None
