"""CONTRIBUTING.md holds: its diff is the rule that it shows, its commands exist, and its table has every folder."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from exportdb_cases.collection import find
from exportdb_rules.rule import find as find_rule

from .test_pages import check_command, parts

REPOSITORY = Path(__file__).parents[2]
TEXT = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
(DIFF,) = re.findall(r"^```diff\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
FILES: dict[str, tuple[bool, list[str]]] = {
    path: (old == "/dev/null", [line[1:] for line in body.splitlines()])
    for old, path, body in re.findall(r"^--- (\S+)\n\+\+\+ b/(\S+)\n((?:\+.*\n)+)", DIFF, re.MULTILINE)
}
# What git keeps; other folders of a checkout are made by tools.
TRACKED = subprocess.run(
    ["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=False
).stdout.splitlines()


@pytest.mark.parametrize("path", FILES)
def test_a_file_of_the_diff_is_as_the_diff_shows_it(path: str) -> None:
    new, lines = FILES[path]
    text = (REPOSITORY / path).read_text(encoding="utf-8").splitlines()
    if new:
        assert text == lines
    else:
        assert [line for line in lines if line not in text] == []


def test_the_diff_has_all_that_a_rule_is() -> None:
    assert "".join(f"--- {'/dev/null' if new else f'a/{path}'}\n+++ b/{path}\n" + "".join(f"+{line}\n" for line in lines)
                   for path, (new, lines) in FILES.items()) == DIFF  # fmt: skip
    (rule_file,) = [path for path in FILES if path.startswith("rules/exportdb_rules/catalog/")]
    rule = find_rule(Path(rule_file).stem.replace("_", "-"))
    assert rule is not None
    cases = {case for path in FILES if path.startswith("cases/") and (case := find(Path(path).stem)) is not None}
    (bad,) = rule.cases
    assert {case.name for case in cases} == {bad, f"{bad}_ok"}
    for path in ("CHANGELOG.md", "tests/rules/pairs.py"):
        assert all(rule.code in line for line in FILES[path][1])


def test_its_commands_exist() -> None:
    lines = re.findall(r"^ *\$ (exportdb-lsp .*)$", TEXT, re.MULTILINE)
    assert len(lines) >= 3
    for line in lines:
        for part in parts(line):
            check_command(part, "CONTRIBUTING.md")


def listed() -> set[str]:
    """The folders of the table, each by its path from the root; `…` stands for what the last whole path has in common."""
    found: set[str] = set()
    base = ""
    for cells in re.findall(r"^\| (`[^|]*`) \|", TEXT, re.MULTILINE):
        for path in re.findall(r"`([^`]+)/`", cells):
            first, _, rest = path.partition("/")
            if first == "…":
                # `…/src/lens` behind `vscode-extension/src/server`: up to where `src` stands.
                above = base.split("/")
                path = "/".join([*above[: above.index(rest.split("/")[0])], rest])
            else:
                base = path
            found.add(path)
    return found


def test_its_table_has_every_folder_and_no_other() -> None:
    folders = {parent.as_posix() for path in TRACKED for parent in Path(path).parents} - {"."}
    assert listed() <= folders
    wanted = {folder for folder in folders if "/" not in folder and not folder.startswith(".")}
    for parts_of in (
        "rules/exportdb_rules",
        "rules/exportdb_rules/rewrite",
        "server/exportdb_lsp",
        "vscode-extension/src",
    ):
        wanted |= {folder for folder in folders if Path(folder).parent.as_posix() == parts_of}
    assert wanted - listed() == set()
