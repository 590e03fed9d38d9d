"""What the tests of all goals have in common."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
from exportdb_lsp.confirm.result import ExportResult, Outcome

from .conftest import Export

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "reference" / "schemas" / "export.schema.json").read_text())


def export_to(goal: str, export: Export, text: str, **options: object) -> ExportResult:
    """The result of an export for a goal, which is as the schema has it."""
    (result,) = export(text, goals=(goal,), **options)
    assert result.goal == goal, result
    jsonschema.validate([result.to_json()], SCHEMA)
    return result


def marked(result: ExportResult) -> str:
    """The code of the line that is marked."""
    return result.frame.code if result.frame else ""


def linked(result: ExportResult) -> list[tuple[str, int]]:
    """The lines of the graph that came from a line of the user's, without what they compute into, and that line."""
    assert result.graph is not None
    lines = result.graph.text.splitlines()
    return [(lines[line - 1].split(" = ")[-1], row) for line, _, row in result.graph.lines]


def fails_as_without_the_goal(export: Export, goal: str, more: str = "") -> None:
    """A model that torch.export refuses fails for a goal as it does without one."""
    text = f"""
    # exportdb: args=(torch.randn(3),)
    class Net(nn.Module):
        def forward(self, x):
            if x.sum() > 0:
                return x
            return -x


    {more}
    """
    plain, of_goal = export(text)[0], export_to(goal, export, text, timeout=300.0)
    assert (of_goal.outcome, of_goal.message, marked(of_goal)) == (Outcome.FAILS, plain.message, marked(plain))
    assert (of_goal.operator, of_goal.delegation) == ("", ())
