"""The settings that package.json of the extension declares are those of the server: same names, kinds, choices, defaults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exportdb_lsp import __version__
from exportdb_lsp.settings import OPTIONS, Option, UserSettings, read_values

MANIFEST: dict[str, Any] = json.loads((Path(__file__).parents[2] / "vscode-extension/package.json").read_text("utf-8"))
PROPERTIES: dict[str, dict[str, Any]] = {
    name.removeprefix("exportdb."): declared
    for name, declared in MANIFEST["contributes"]["configuration"]["properties"].items()
}
# What only an extension has to know: which server to start, and what to log of the conversation with it.
OF_THE_EXTENSION = {"path", "trace.server"}
TYPES = {
    "string": "string",
    "choice": "string",
    "strings": "array",
    "seconds": "number",
    "bytes": "string",
    "flag": "boolean",
}
OF_EDITORS = [pytest.param(option, id=option.camel) for option in OPTIONS if option.editor]


def test_the_names_are_the_same() -> None:
    assert set(PROPERTIES) - OF_THE_EXTENSION == {option.camel for option in OPTIONS if option.editor}


@pytest.mark.parametrize("option", OF_EDITORS)
def test_the_kind_and_the_choices_are_the_same(option: Option) -> None:
    declared = PROPERTIES[option.camel]
    assert declared["type"] == TYPES[option.kind]
    one = declared["items"] if option.kind == "strings" else declared
    assert tuple(one.get("enum", ())) == option.choices
    assert one["type"] == "string" or option.kind not in {"strings", "choice"}


@pytest.mark.parametrize("option", OF_EDITORS)
def test_the_default_is_the_same(option: Option) -> None:
    """As the server reads it. An empty text stands for what the server finds out by itself."""
    default = PROPERTIES[option.camel]["default"]
    expected = getattr(UserSettings(), option.attribute)
    if default == "":
        assert expected is None
        return
    settings, problems = read_values({option.camel: default}, editor=True)
    assert not problems
    assert getattr(settings, option.attribute) == expected


@pytest.mark.parametrize(("name", "declared"), PROPERTIES.items(), ids=PROPERTIES)
def test_every_setting_says_what_it_means_and_where_it_may_be_made(name: str, declared: dict[str, Any]) -> None:
    assert declared["markdownDescription"].endswith("."), name
    assert declared["scope"] in {"resource", "window", "machine-overridable"}
    assert "default" in declared
    if "enum" in declared and "enumDescriptions" in declared:
        assert len(declared["enumDescriptions"]) == len(declared["enum"])


def test_what_may_start_a_program_is_of_the_machine() -> None:
    """Settings of a folder that nobody trusts must not name what is run."""
    restricted = MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    programs = {
        f"exportdb.{name}" for name, declared in PROPERTIES.items() if declared["scope"] == "machine-overridable"
    }
    assert programs | {"exportdb.exportOnSave"} == set(restricted)


def test_the_extension_has_the_version_of_the_server() -> None:
    assert MANIFEST["version"] == __version__
