"""The GitHub Action: described as GitHub wants it, and its steps run as GitHub runs them, on a wheel of this checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from .conftest import BRANCH, ROOT

pytestmark = pytest.mark.xdist_group("packaging")

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
DEFAULTS = {name: given["default"] for name, given in ACTION["inputs"].items()}
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "run" in step}
EXPRESSION = re.compile(r"\$\{\{\s*inputs\.([\w-]+)\s*\}\}")


@dataclass(frozen=True)
class Runner:
    """A job's machine: `tools` is the environment whose python setup-python would have put on the path."""

    tools: Path
    workspace: Path
    packages: Path

    def __call__(self, step: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run a step of the action with inputs (`output_file` is `output-file`); the others have their defaults."""
        given = {**DEFAULTS, **{name.replace("_", "-"): value for name, value in inputs.items()}}
        declared = {
            name: EXPRESSION.sub(lambda found: given[found[1]], text) for name, text in STEPS[step]["env"].items()
        }
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "GIT_"))}
        environment = {
            **inherited,
            "PATH": os.pathsep.join([str(self.tools / "bin"), os.environ["PATH"]]),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_ACTION_PATH": str(ROOT),
            # The wheel of this checkout stands for the one that the registry will have.
            "PIP_FIND_LINKS": str(self.packages),
            # Two thirds of the time would be bytecode of what is never imported.
            "PIP_NO_COMPILE": "1",
            "XDG_CACHE_HOME": str(self.workspace.parent / "cache"),
            **declared,
        }
        # GitHub writes the script to a file, and calls bash so: docs.github.com, "Workflow syntax", defaults.run.shell.
        script = self.workspace.parent / "step.sh"
        script.write_text(EXPRESSION.sub(lambda found: given[found[1]], STEPS[step]["run"]), encoding="utf-8")
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def write(self, name: str, text: str) -> None:
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def tools(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment in which the step that installs has run."""
    folder = tmp_path_factory.mktemp("runner")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "tools")], check=True)
    (folder / "workspace").mkdir()
    version = wheel.name.split("-")[1]
    done = Runner(folder / "tools", folder / "workspace", wheel.parent)("Install exportdb-lsp", version=version)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "tools"


@pytest.fixture
def runner(tools: Path, wheel: Path, tmp_path: Path) -> Runner:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return Runner(tools, workspace, wheel.parent)


def test_it_is_an_action() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions"]
    done = subprocess.run([*command, str(ROOT / "action.yml")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "spoil",
    [
        lambda action: action["runs"]["steps"][1].pop("shell"),
        lambda action: action["runs"].update(using="docker"),
        lambda action: action.pop("description"),
    ],
    ids=["no shell", "another kind", "no description"],
)
def test_a_flaw_would_be_seen(spoil: Callable[[Any], object], tmp_path: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    spoil(action)
    (tmp_path / "action.yml").write_text(yaml.safe_dump(action))
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions"]
    done = subprocess.run([*command, str(tmp_path / "action.yml")], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout


def test_inputs_reach_no_script_as_text_and_each_is_used() -> None:
    assert not [name for name, step in STEPS.items() if "${{" in step["run"]]
    used = set(EXPRESSION.findall((ROOT / "action.yml").read_text("utf-8")))
    assert used == set(ACTION["inputs"])


def test_the_version_that_is_asked_for_is_installed(tools: Path, wheel: Path) -> None:
    done = subprocess.run([tools / "bin" / "exportdb-lsp", "--version"], capture_output=True, text=True, check=True)
    assert wheel.name.split("-")[1] in done.stdout
    assert not list(tools.glob("lib/python*/site-packages/torch"))


def test_a_version_that_there_is_not_ends_the_step(runner: Runner) -> None:
    assert runner("Install exportdb-lsp", version="0.0.0").returncode != 0


def test_findings_annotate_and_fail_the_step(runner: Runner) -> None:
    runner.write("models/net.py", BRANCH)
    done = runner("Check")
    assert done.returncode == 1, done.stderr
    assert re.search(r"^::error .*file=models/net\.py,line=8,", done.stdout, flags=re.MULTILINE), done.stdout


def test_nothing_found_ends_well(runner: Runner) -> None:
    runner.write("net.py", "import torch\n")
    done = runner("Check")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@pytest.mark.parametrize("paths", ["src lib/one.py", "src\nlib/one.py\n"], ids=["one line", "several lines"])
def test_the_paths_are_those_that_are_asked_for(runner: Runner, paths: str) -> None:
    for name in ("src/net.py", "lib/one.py", "lib/two.py"):
        runner.write(name, BRANCH)
    done = runner("Check", paths=paths, args="--exit-zero --mode both")
    assert done.returncode == 0, done.stderr
    assert set(re.findall(r"file=([\w/.]+),", done.stdout)) == {"src/net.py", "lib/one.py"}


def test_sarif_goes_to_the_file(runner: Runner) -> None:
    runner.write("net.py", BRANCH)
    done = runner("Check", output_format="sarif", output_file="exportdb.sarif", args="--exit-zero")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    log = json.loads((runner.workspace / "exportdb.sarif").read_text("utf-8"))
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["EDB101"]


def test_inputs_are_no_commands(runner: Runner) -> None:
    runner.write("net.py", "import torch\n")
    for text in ("$(touch planted)", "`touch planted`", "net.py; touch planted", "net.py && touch planted"):
        for name in ("paths", "args", "output_format"):
            runner("Check", **{name: text})
        runner("Check", output_file=text)
        runner("Install exportdb-lsp", version=f"0.0.0 {text}")
    assert not (runner.workspace / "planted").exists()
