"""The catalogue as a whole: codes, names, families, claims and pages."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import exportdb_cases
import pytest
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.rule import Rule, find, registry
from exportdb_rules.verdict_table import records, verdict

RULES = registry()
VERSION = "2.13.0"
CASES = {path.stem for path in Path(exportdb_cases.__file__).parent.glob("*/*.py")}
SECTIONS = (
    "What it does",
    "Why export cannot do it",
    "Example",
    "Use instead",
    "Fix safety",
    "Verdicts by version",
    "References",
)
# The digits of a code before the last two name the tag family of ExportDB; mutation and the object model share one. What
# comes after export, its goals, is no family there.
DIGITS = {
    "control_flow": "1",
    "dynamic_value": "2",
    "dynamic_shape": "3",
    "mutation": "4",
    "builtin": "5",
    "operators": "6",
    "inputs_outputs": "7",
    "custom_operators": "8",
    "export_api": "9",
    "goals": "10",
}
# Those about a goal rest on what its tool was measured to take: test_goal_table.
on_cases = pytest.mark.parametrize("rule", [rule for rule in RULES if not rule.goal], ids=lambda rule: rule.code)
by_code = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


def file_of(rule: Rule) -> Path:
    return Path(str(sys.modules[type(rule).__module__].__file__))


def test_codes_and_names_are_used_once() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert "EDB001" not in {rule.code for rule in RULES}  # the unused suppression


@by_code
def test_a_rule_is_one_file_in_the_folder_of_its_family(rule: Rule) -> None:
    path = file_of(rule)
    assert path.parent.name == rule.family
    assert path.stem == rule.name.replace("-", "_")
    assert re.fullmatch(r"EDB(?:[1-9]\d\d|10\d\d)", rule.code)
    assert sum(type(other).__module__ == type(rule).__module__ for other in RULES) == 1


# data-dependent-builtin is told from the other control flow by where people look for it.
ELSEWHERE = {"EDB105": "builtin"}


@by_code
def test_the_digits_before_the_last_two_are_the_family(rule: Rule) -> None:
    if rule.code in ELSEWHERE:
        assert rule.family == ELSEWHERE[rule.code]
    else:
        assert rule.code[3:-2] == DIGITS[rule.family]


@on_cases
def test_every_claim_rests_on_a_measured_case(rule: Rule) -> None:
    assert rule.cases
    for case in rule.cases:
        assert case in CASES
        assert any(verdict(case, VERSION, mode) is not None for mode in Mode), f"{case} was not measured"


@on_cases
def test_a_rule_has_a_case_that_goes_wrong(rule: Rule) -> None:
    modes = [verdict(case, VERSION, mode) for case in rule.cases for mode in Mode]
    assert any(found not in (None, Verdict.OK) for found in modes)


@on_cases
def test_the_cases_in_the_source_are_the_cases_that_it_names(rule: Rule) -> None:
    """A report may rest on any measured case; what the page lists must be among them and not be made up."""
    source = file_of(rule).read_text()
    named = {word for word in re.findall(r'"([a-z0-9_]+)"', source) if word in records(VERSION)}
    assert set(rule.cases) <= named


@by_code
def test_the_page_has_its_sections_in_order(rule: Rule) -> None:
    page = rule.documentation
    assert page.startswith(f"# {rule.name}\n")
    assert tuple(re.findall(r"^## (.+)$", page, re.MULTILINE)) == SECTIONS
    for name in SECTIONS:
        body = page.split(f"## {name}\n", 1)[1].split("\n## ", 1)[0]
        assert body.strip(), f"{name} is empty"
    assert f"rule {rule.code}`" in page


@by_code
def test_a_rule_is_found_by_code_and_by_name(rule: Rule) -> None:
    assert find(rule.code.lower()) is rule
    assert find(rule.name.upper()) is rule


def test_nothing_is_found_by_what_is_no_rule() -> None:
    assert find("EDB999") is None
    assert find("") is None
