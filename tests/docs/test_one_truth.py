"""One truth: what the catalogue, the cases, the changelog, the pages and the editors say of rules agrees.

That every rule has its page in the built site stands in `test_site.py`, that what a rule claims was measured in
`tests/rules`, that the settings of VS Code are those of the server in `tests/vscode`.
"""

from __future__ import annotations

import re
import sysconfig
from pathlib import Path

import pytest
from exportdb_cases.collection import find
from exportdb_lsp.settings import OPTIONS
from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.rule import Rule, documented, registry
from exportdb_rules.verdict_table import verdict

# What the cases find installed beside torch.
PACKAGES = (sysconfig.get_path("purelib"),)

REPOSITORY = Path(__file__).parents[2]
RULES = {rule.code: rule.name for rule in documented()}
VERSION = "2.13.0"
# What is for people to read, or for an editor: whoever names a rule there names one that exists.
TEXTS = sorted(
    path
    for place, pattern in (
        (".", "*.md"),
        (".", "action.yml"),
        ("docs", "**/*.md"),
        ("editors", "**/*"),
        ("examples", "**/*"),
        ("vscode-extension", "package.json"),
        ("vscode-extension", "*.md"),
        ("vscode-extension/src", "**/*.ts"),
    )
    for path in (REPOSITORY / place).glob(pattern)
    if path.is_file() and path.suffix in {".md", ".json", ".ts", ".yml", ".py", ".toml", ".lua", ".el", ".vim", ".kak"}
)


def test_the_changelog_lists_every_rule_and_no_other() -> None:
    text = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- `(EDB\d{3,4})` ([\w-]+): ", text, re.MULTILINE)
    assert dict(listed) == RULES
    assert len(listed) == len(RULES)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_codes_that_texts_name_are_rules(path: Path) -> None:
    assert {*re.findall(r"\bEDB\d{3,4}\b", path.read_text(encoding="utf-8"))} <= {*RULES}


@pytest.mark.parametrize("rule", [rule for rule in registry() if not rule.goal], ids=lambda rule: rule.code)
def test_a_rule_has_a_case_that_it_finds_and_a_twin_that_it_leaves_alone(rule: Rule) -> None:
    bad = [name for name in rule.cases if _finds(rule, name)]
    assert bad, "none of the rule's cases is found by it"
    twins = {twin for name in bad if (case := find(name)) and (twin := case.twin)}
    good = [
        twin
        for twin in twins
        if all(verdict(twin, VERSION, mode) is Verdict.OK for mode in Mode) and not _finds(rule, twin)
    ]
    assert good, f"none of the twins {sorted(twins)} exports in both modes and is left alone"


def test_the_cases_that_rules_name_exist() -> None:
    assert {name for rule in registry() for name in rule.cases if find(name) is None} == set()


def _finds(rule: Rule, name: str) -> bool:
    case = find(name)
    assert case is not None
    found = check(
        Project(), str(case.path), Settings(VERSION, tuple(Mode), case.assume_dynamic, packages=PACKAGES)
    ).findings
    return any(finding.code == rule.code for finding in found)


def test_the_page_on_security_says_of_each_setting_what_a_project_may_say() -> None:
    table = (REPOSITORY / "docs/security.md").read_text("utf-8").split("## Project settings and trust")[1]
    rows = [line.split("|")[1:4] for line in table.splitlines() if line.startswith("| `")]
    told = {name: answer.strip() for names, _, answer in rows for name in re.findall(r"`([a-z-]+)`", names)}
    for option in OPTIONS:
        assert told[option.name].startswith("no" if option.runs else "yes"), option.name
