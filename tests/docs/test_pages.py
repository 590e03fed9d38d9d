"""The documentation holds: commands exist, settings are settings, Python runs, and pages follow the sources."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from exportdb_cases.collection import find
from exportdb_lsp.cli.program import program
from exportdb_lsp.settings import OPTIONS, TARGET_KEYS
from exportdb_rules.rule import documented

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPOSITORY = Path(__file__).parents[2]
PAGES = [*sorted((REPOSITORY / "docs").rglob("*.md")), REPOSITORY / "README.md"]
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)[^\n]*\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    page: Path
    row: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(REPOSITORY)}:{self.row}"


def blocks(*languages: str) -> list[Block]:
    found: list[Block] = []
    for page in PAGES:
        content = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(content):
            if match["language"] in languages:
                row = content.count("\n", 0, match.start()) + 1
                found.append(Block(page, row, match["language"], textwrap.dedent(match["text"])))
    return found


@pytest.mark.parametrize("block", blocks("python"), ids=str)
def test_python_runs(block: Block) -> None:
    ast.parse(block.text)
    if not block.text.startswith("import "):
        return
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", block.text], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", blocks("console", "sh", "bash"), ids=str)
def test_commands_and_options_exist(block: Block) -> None:
    for line in block.text.splitlines():
        command = line.removeprefix("$ ")
        words = shlex.split(command, comments=True)
        if not words or words[0] != "exportdb-lsp" or (line == command and block.language == "console"):
            continue
        known: click.Command = program
        context = click.Context(program, info_name="exportdb-lsp")
        rest = words[1:]
        while isinstance(known, click.Group) and rest and not rest[0].startswith("-"):
            inner = known.get_command(context, rest[0])
            assert inner is not None, f"{block}: no command {rest[0]}"
            known, rest = inner, rest[1:]
        options = {name for parameter in known.params for name in (*parameter.opts, *parameter.secondary_opts)} | {
            "--help"
        }
        used = {word.split("=")[0] for word in rest if word.startswith("-") and word != "-"}
        assert used <= options, f"{block}: {known.name} has no {used - options}"


@pytest.mark.parametrize("block", blocks("toml"), ids=str)
def test_settings_are_settings(block: Block) -> None:
    table = tomllib.loads(block.text).get("tool", {}).get("exportdb", {})
    assert set(table) <= {option.name for option in OPTIONS}
    for target in table.get("targets", {}).values():
        assert set(target) <= {*TARGET_KEYS}


@pytest.mark.parametrize("block", blocks("json"), ids=str)
def test_json_is_json(block: Block) -> None:
    json.loads(block.text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_cases_and_rules_that_pages_name_exist(page: Path) -> None:
    content = page.read_text(encoding="utf-8")
    assert {name for name in re.findall(r"cases/(\w+)\.md", content) if name != "index" and find(name) is None} == set()
    names = {rule.name for rule in documented()} | {"index"}
    assert set(re.findall(r"rules/([\w-]+)\.md", content)) <= names


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("material")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for rule in documented():
        assert (tmp_path / "site" / "rules" / rule.name / "index.html").is_file()
    matrix = (tmp_path / "site" / "support" / "index.html").read_text(encoding="utf-8")
    assert 'href="../cases/tensor_if/"' in matrix
