"""Texts for users are in the terms of torch.export: messages, rule pages, fix titles, help, settings, errors and pages."""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import exportdb_lsp
import pytest
from exportdb_lsp.cli.program import program
from exportdb_lsp.settings import OPTIONS
from exportdb_rules import catalog, rewrite
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import documented

REPOSITORY = Path(__file__).parents[2]
EXTENSION = REPOSITORY / "vscode-extension"
# Generated from the recorded output of the benchmarks.
GENERATED = {REPOSITORY / "docs" / "benchmarks.md"}
# Their literals are Python source, or torch's own text.
QUOTED = ("exportdb_lsp.worker.guess", "exportdb_lsp.worker.torch_text", "exportdb_lsp.explain", "exportdb_lsp.measure")

# An avoided phrase, and what to write instead.
AVOIDED: Mapping[str, str] = {
    r"\btold\b|\btells? (you|which|how|what|whether)\b": "name the agent: `reports`, `shows`, `declares`",
    r"\bgo(es)? round\b|\b(number of|each|every|the) rounds?\b": "a loop has `iterations`",
    r"\bhand(s|ed|ing)? (out|on|back|through|over)\b": "a function `returns` or `passes` a value",
    r"\bask(s|ed)? (for its|for their|of|each|a|what|by)\b|\basked for\b": "name the operation: `converts to bool`, `requires`",
    r"\b(its|their|the) truth\b": "a tensor is `converted to bool`",
    r"\bwants?\b": "an API `requires`, `expects` or `accepts`",
    r"\b(is|was|were|has|been|be) given\b": "name the agent: `you pass`, `the caller passes`",
    r"\bfr(ee|o)zen?s?\b": "a dimension is `specialized`",
    r"\b(numbers?|values?) from data\b|\bdata of (a|the) tensors?\b": "`unbacked SymInt`, `tensor value`",
    r"\bno data (yet|to)\b|\bhas no numbers\b": "tensor values are `unknown while tracing`",
    r"\bleaves? for\b|\breached for\b|\bgoes in or out\b|\bout of sight\b": "name the operation",
    r"\bwhat (stands|came out|comes out|goes in|goes out|is kept|is left|was kept)\b": "name the thing",
    r"\bkept\b": "`recorded`, `cached`, `preserved` or `stored`",
    r"\bjudge[sd]?\b": "an export is `checked`",
    r"\b(finds?|found) out\b|\blook(s|ed)? for\b": "`detect`, `search`",
    r"\bbeside\b": "`next to`, or `compared with`",
    r"\bbehind (the (loop|call|first)|it)\b": "`after`",
    r"\b(no|some)body\b": "name the agent",
    r"\bany ?more\b": "`no longer`",
    r"\bproven\b|\bproofs?\b": "a fix is `verified`",
    r"\bmend(s|ed|ing)?\b|\bhopeless\b": "`fix`",
    r"\btwins?\b": "`counterpart`",
    r"\bgets no fix\b|\bthe user decides\b": "`There is no fix for …`, `unsafe`",
    r"\b(is|are|of) no (module|model|list|number|text|table|tensor|notebook|nn)s?\b": "`is not a …`",
    r"\bfor people\b|\bstandard error\b|\bstandard input\b": "`stderr`, `stdin`, or the format itself",
    r"\banew\b|\bin the place of\b|\bin place of\b": "`again`, `instead of`",
    r"\bmilliseconds a\b|\bone a (line|core)\b": "`per call`, `per line`",
    r"\bas far as\b|\bas it is\b": "say which part",
}

# What a fix does, in the imperative.
IMPERATIVES = frozenset(
    "Apply Assert Assign Check Compare Compute Contract Convert Declare Define Divide Expand Index Iterate Keep Let Look Merge Move Pass Read "
    "Register Remove Replace Return Rewrite Run Select Sort Stack Store Update Use Call Vectorize Write".split()
)


def _literals(package: str, *, skipped: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """The texts of the modules of a package, with their places: literals with a space that are no docstring."""
    folder = Path(str(importlib.import_module(package).__file__)).parent
    for found in pkgutil.walk_packages([str(folder)], f"{package}."):
        if found.ispkg or found.name.startswith(skipped or ("-",)):
            continue
        path = folder / Path(*found.name.split(".")[package.count(".") + 1 :]).with_suffix(".py")
        tree = ast.parse(path.read_text("utf-8"))
        # A statement that is only a text is a docstring, of an attribute too.
        ignored = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                if id(node) in ignored:
                    continue
                yield f"{found.name}:{node.lineno}", node.value


def _titles() -> Iterator[tuple[str, str]]:
    """The titles of fixes: public constants of the rewrites, and the titles given where a fix is made."""
    for found in pkgutil.walk_packages(rewrite.__path__, f"{rewrite.__name__}."):
        for name, value in vars(importlib.import_module(found.name)).items():
            if name.isupper() and not name.startswith("_"):
                texts = value.values() if isinstance(value, dict) else [value]
                yield from ((f"{found.name}.{name}", t) for t in texts if isinstance(t, str) and " " in t)


def _help(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    """The help of a command, of its options and of the commands below it."""
    yield name, command.help or ""
    yield name, command.short_help or ""
    for option in command.params:
        yield f"{name} {option.name}", getattr(option, "help", None) or ""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            assert below is not None
            yield from _help(below, f"{name} {each}")


def _strings(value: object, place: str) -> Iterator[tuple[str, str]]:
    """The texts of a JSON value."""
    if isinstance(value, str):
        yield place, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _strings(inner, f"{place}.{key}")


def _pages() -> Iterator[tuple[str, str]]:
    """The pages in Markdown, by paragraph, without their code."""
    pages = {REPOSITORY / "README.md", EXTENSION / "README.md", *(EXTENSION / "media").rglob("*.md")}
    for page in sorted(pages | set((REPOSITORY / "docs").rglob("*.md")) - GENERATED):
        yield str(page.relative_to(REPOSITORY)), page.read_text("utf-8")


def texts() -> Iterator[tuple[str, str]]:
    """All that users read, with the place of each."""
    for rule in documented():
        yield f"{rule.code} summary", rule.summary
        yield f"{rule.code} page", rule.documentation
    yield from _literals(catalog.__name__)
    yield from _titles()
    yield from ((f"no fix: {reason.value}", reason.text) for reason in NoFix)
    yield from _literals(exportdb_lsp.__name__, skipped=QUOTED)
    yield from _help(program, "exportdb-lsp")
    yield from ((f"setting {option.name}", option.description) for option in OPTIONS)
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    yield from ((place, text) for place, text in _strings(manifest["contributes"], "package.json"))
    yield from ((place, text) for place, text in _strings(manifest["capabilities"], "package.json"))
    yield "package.json", manifest["description"]
    yield from _pages()


def avoided(text: str) -> list[str]:
    """The avoided phrases of a text, each with the reason; code in it does not count."""
    prose = re.sub(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|<[^>\n]*>", "", text, flags=re.DOTALL)
    return [
        f"{found[0]!r}: {instead}"
        for pattern, instead in AVOIDED.items()
        for found in re.finditer(pattern, prose, flags=re.IGNORECASE)
    ]


def test_users_read_the_terms_of_torch_export() -> None:
    assert [f"{place}: {phrase}" for place, text in texts() for phrase in avoided(text)] == []


def test_every_kind_of_text_is_read() -> None:
    places = " ".join(place for place, _ in texts())
    for kind in ("EDB101 page", "catalog.control_flow.tensor_branch:", "branching.cond.TITLE", "exportdb-lsp check jobs",
                 "cli.check:", "setting mode", "package.json.configuration", "docs/glossary.md", "walkthrough/check.md"):  # fmt: skip
        assert kind in places


def test_titles_of_fixes_are_imperatives() -> None:
    assert [title for _, title in _titles() if title.split()[0] not in IMPERATIVES] == []


@pytest.mark.parametrize(
    "text",
    [
        "`x` hands out a tensor that it was given",
        "the number of rounds is known",
        "the size is frozen to 4",
        "`Net` wants an int",
        "a number from data\nwhere an int is wanted",
    ],
)
def test_an_avoided_phrase_is_found(text: str) -> None:
    assert avoided(text) != []


@pytest.mark.parametrize(
    "text", ["`frozen=True`", "see [the page](what-is-kept.md)", "```\nfrozen\n```", "the size is specialized"]
)
def test_code_and_plain_words_pass(text: str) -> None:
    assert avoided(text) == []
