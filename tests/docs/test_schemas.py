"""The JSON schemas of the documentation hold for what is really printed, and for the examples beside them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from exportdb_cases import support_file
from exportdb_lsp.cli.program import program
from exportdb_rules import verdict_table
from exportdb_rules.no_fix import NoFix
from jsonschema import Draft202012Validator

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "docs" / "reference" / "schemas"
NAMES = sorted(path.name.removesuffix(".schema.json") for path in FOLDER.glob("*.schema.json"))
MEASURED = [support_file.path_for(version) for version in verdict_table.versions()]
MEASURED += sorted(support_file.FOLDER.glob("*/*.json"))


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def complaints(name: str, value: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(value)]


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_the_page_keeps_the_schema(name: str) -> None:
    page = (REPOSITORY / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
    section = page.split(f"\n## {name}\n")[1].split("\n## ")[0]
    assert f"schemas/{name}.schema.json" in section
    example = json.loads(section.split("```json\n")[1].split("\n```")[0])
    # Of an array the page shows one element.
    assert complaints(name, example if name in ("cases", "survey") else [example]) == []


def test_codes_have_three_or_four_digits() -> None:
    patterns = (
        validator("check").schema["$defs"]["finding"]["properties"]["code"]["pattern"],
        *re.findall(
            r'"pattern": "(\^EDB[^"]*)"', (FOLDER / "explain.schema.json").read_text("utf-8").replace("\\\\", "\\")
        ),
    )
    assert len(patterns) == 2
    for pattern in patterns:
        found = [code for code in ("EDB101", "EDB1001", "EDB10", "EDB10001") if re.search(pattern, code)]
        assert found == ["EDB101", "EDB1001"]


def test_the_schema_has_every_reason_for_no_fix() -> None:
    assert validator("check").schema["$defs"]["no_fix"]["enum"] == [reason.value for reason in NoFix]


def test_findings_keep_the_schema() -> None:
    paths = [str(path) for path in sorted((REPOSITORY / "cases" / "exportdb_cases" / "mutation").glob("*.py"))]
    arguments = ["check", "--no-cache", "--mode", "both", "--assume-dynamic", "all", "--output-format", "json"]
    findings = json.loads(CliRunner().invoke(program, [*arguments, *paths]).stdout)
    assert any(finding["fix"] for finding in findings)
    assert any(finding["related"] for finding in findings)
    assert complaints("check", findings) == []


@pytest.mark.parametrize("path", MEASURED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_measured_verdicts_keep_the_schema(path: Path) -> None:
    assert complaints("cases", json.loads(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("name", NAMES)
def test_what_breaks_the_contract_is_refused(name: str) -> None:
    wrong: dict[str, Any] = {
        "check": [{"code": "EDB101"}],
        "explain": [{"message": "?", "row": 0}],
        "export": [{"target": "Net", "outcome": "perhaps"}],
        "shapes": [{"target": "Net", "axes": [{"input": "x"}]}],
        "survey": {"target": "nets", "torch": "2.13.0", "classes": []},
        "cases": {
            "torch": "2.13.0",
            "python": "3.11",
            "cases": {"a": {"strict": {"verdict": None}}},
            "fingerprints": {},
        },
    }
    assert complaints(name, wrong[name])
