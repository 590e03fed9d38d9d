"""The recipe for conda-forge says what pyproject.toml says, and its tests pass on this checkout."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import exportdb_lsp
import pytest
import yaml
from packaging.requirements import Requirement

from .conftest import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
TEXT = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text("utf-8")


def _filled(text: str) -> dict[str, Any]:
    """The recipe with its variables filled in, but for those of the build."""
    context = yaml.safe_load(text)["context"]
    return yaml.safe_load(re.sub(r"\$\{\{ (\w+) \}\}", lambda found: str(context.get(found[1], found[0])), text))


RECIPE = _filled(TEXT)


def _normal(requirement: str) -> str:
    """`libcst>=1.5` and `libcst >=1.5` alike. Markers are left out: a noarch package has none."""
    parsed = Requirement(requirement)
    return f"{parsed.name} {parsed.specifier}".strip()


def test_the_version_is_that_of_the_package() -> None:
    assert RECIPE["package"] == {"name": PROJECT["project"]["name"], "version": exportdb_lsp.__version__}
    assert RECIPE["source"]["url"].endswith(f"/exportdb_lsp-{exportdb_lsp.__version__}.tar.gz")


def test_the_dependencies_are_those_of_the_project() -> None:
    python, *others = RECIPE["requirements"]["run"]
    assert python == f"python {PROJECT['project']['requires-python']}"
    assert sorted(map(_normal, others)) == sorted(map(_normal, PROJECT["project"]["dependencies"]))
    assert set(map(_normal, PROJECT["build-system"]["requires"])) <= set(
        map(_normal, RECIPE["requirements"]["host"][1:])
    )


def test_the_entry_points_and_the_description_are_those_of_the_project() -> None:
    scripts = [f"{name} = {target}" for name, target in PROJECT["project"]["scripts"].items()]
    assert RECIPE["build"]["python"]["entry_points"] == scripts
    about, project = RECIPE["about"], PROJECT["project"]
    assert (about["license"], about["summary"]) == (project["license"], project["description"])
    assert (about["documentation"], about["repository"]) == (
        project["urls"]["Documentation"],
        project["urls"]["Source"],
    )
    assert (ROOT / about["license_file"]).is_file()


def test_the_tests_of_the_recipe_pass_here(tmp_path: Path) -> None:
    imports, script = RECIPE["tests"]
    for name in imports["python"]["imports"]:
        importlib.import_module(name)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in script["script"]:
        subprocess.run(
            shlex.split(command), cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=120
        )


@pytest.mark.parametrize("change", [("libcst >=1.5", "libcst >=1.6"), ("    - rich >=13\n", "")])
def test_a_dependency_that_differs_is_seen(change: tuple[str, str]) -> None:
    assert change[0] in TEXT
    changed = _filled(TEXT.replace(*change))
    assert sorted(changed["requirements"]["run"]) != sorted(RECIPE["requirements"]["run"])
