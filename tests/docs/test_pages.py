"""The documentation holds: commands exist, settings are settings, Python runs, and pages follow the sources."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from exportdb_cases.collection import find
from exportdb_lsp.cli.program import program
from exportdb_lsp.lsp import commands
from exportdb_lsp.lsp.server import create
from exportdb_lsp.settings import OPTIONS, TARGET_KEYS
from exportdb_rules.rule import documented

from ..command_lines import own_words

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
def test_python_can_be_parsed(block: Block) -> None:
    ast.parse(block.text)


# Each block has names of its own; torch, which takes longer than any of them, is imported once.
RUN_EACH = """
import json, sys
for place, text in json.load(sys.stdin):
    exec(compile(text, place, "exec"), {"__name__": "__main__"})
"""


def test_python_that_begins_with_its_imports_runs() -> None:
    whole = [(str(block), block.text) for block in blocks("python") if block.text.startswith("import ")]
    assert whole
    command = [sys.executable, "-W", "ignore", "-c", RUN_EACH]
    done = subprocess.run(command, input=json.dumps(whole), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def check_command(line: str, place: object) -> None:
    """Of a line that calls the program: the command and its options exist."""
    words = shlex.split(line, comments=True)
    if not words or words[0] != "exportdb-lsp":
        return
    known: click.Command = program
    context = click.Context(program, info_name="exportdb-lsp")
    rest = words[1:]
    while isinstance(known, click.Group) and rest and not rest[0].startswith("-"):
        inner = known.get_command(context, rest[0])
        assert inner is not None, f"{place}: no command {rest[0]}"
        known, rest = inner, rest[1:]
    options = {name for parameter in known.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}
    used = {word.split("=")[0] for word in own_words(known, rest) if word.startswith("-") and word != "-"}
    assert used <= options, f"{place}: {known.name} has no {used - options}"


def parts(line: str) -> list[str]:
    """The commands of a line of shell."""
    return re.split(r"\s*(?:&&|\||>)\s*", line)


@pytest.mark.parametrize("block", blocks("console", "sh", "bash"), ids=str)
def test_commands_and_options_exist(block: Block) -> None:
    for line in block.text.splitlines():
        if block.language == "console" and not line.startswith("$ "):
            continue
        for part in parts(line.removeprefix("$ ")):
            check_command(part, block)


@pytest.mark.parametrize("block", blocks("console"), ids=str)
def test_cases_and_rules_that_commands_name_exist(block: Block) -> None:
    for line in block.text.splitlines():
        if match := re.match(r"\$ exportdb-lsp (?:cases show|rule) (\S+)$", line):
            name = match[1]
            assert find(name) is not None or any(name in (rule.code, rule.name) for rule in documented()), name


@pytest.mark.parametrize("block", blocks("yaml"), ids=str)
def test_pipelines_name_what_there_is(block: Block) -> None:
    """Steps of our action pass inputs that it has, hooks are those that we offer, and commands exist."""
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
    hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for node in walk(yaml.safe_load(block.text)):
        if str(node.get("uses", "")).startswith("exportdb-lsp/exportdb-lsp@"):
            assert set(node.get("with", {})) <= set(action["inputs"])
        if str(node.get("repo", "")).endswith("exportdb-lsp/exportdb-lsp"):
            assert {hook["id"] for hook in node["hooks"]} <= {hook["id"] for hook in hooks}
        scripts = node.get("script", node.get("run", []))
        for line in [scripts] if isinstance(scripts, str) else scripts:
            for part in parts(line):
                check_command(part, block)


def walk(value: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in a value."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


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


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    checked = {"python", "console", "sh", "bash", "toml", "json", "yaml"}
    printed = {"benchmarks.md": {"text"}}  # test_benchmarks compares that page with what the benchmarks printed
    for page in PAGES:
        kinds = {match["language"] for match in FENCE.finditer(page.read_text(encoding="utf-8"))}
        assert kinds <= checked | printed.get(page.name, set()), page


def test_the_page_of_the_language_server_names_its_commands_and_methods() -> None:
    page = (REPOSITORY / "docs" / "reference" / "lsp.md").read_text(encoding="utf-8")
    assert {*re.findall(r"^\| `(exportdb\.\w+)`", page, re.MULTILINE)} == {*commands.COMMANDS}
    answered = {
        name for name in create().protocol.fm.features if re.match(r"(textDocument|codeAction|workspace)/(?!did)", name)
    }
    named = {*re.findall(r"`((?:textDocument|codeAction|workspace)/\w+)`", page)} - {"workspace/executeCommand"}
    assert named == answered - {"workspace/executeCommand"}
