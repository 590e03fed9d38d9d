"""The page on continuous integration: its commands, run one after the other in a repository, and its shares of a project."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .conftest import BRANCH, CLEAN, Program

PAGE = (Path(__file__).parents[2] / "docs" / "guide" / "ci.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE)
HELPER = "def pick(x):\n    return x if x.sum() > 0 else -x\n"
CALLER = "import torch\nfrom src.helper import pick\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return pick(x)\n"

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("git", "bash", "split", "xargs", "awk"))), reason="needs them"
)


@pytest.fixture
def repository(run: Program) -> Path:
    for number in range(6):
        run.write(f"src/net{number}.py", BRANCH.replace("Net", f"Net{number}"))
    run.write("src/with space.py", CLEAN)
    # The line that fails and the model that reaches it: in different shares.
    run.write("src/helper.py", HELPER)
    run.write("zoo/caller.py", CALLER)
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in (
        ["init", "--quiet"],
        ["add", "."],
        [*author, "commit", "--quiet", "-m", "one"],
        ["update-ref", "refs/remotes/origin/main", "HEAD"],
    ):
        subprocess.run(["git", *arguments], cwd=run.folder, check=True)
    return run.folder


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def findings(text: str) -> set[tuple[str, int, str]]:
    objects = [json.loads(line) for line in text.splitlines()]
    return {(found["filename"], found["location"]["row"], found["code"]) for found in objects}


def test_its_commands_do_what_the_page_says(repository: Path) -> None:
    statuses = {}
    for command in COMMANDS:
        done = shell(command, repository)
        statuses[command.partition(" ")[2][:20]] = done.returncode
        # 1: findings; 123: how xargs says so.
        assert done.returncode in (0, 1, 123), (command, done.stderr)
        assert "rror" not in done.stderr, (command, done.stderr)
    baseline = next(command for command in COMMANDS if "--baseline" in command)
    assert shell(baseline, repository).returncode == 0
    whole = findings(shell("exportdb-lsp check . --output-format jsonl", repository).stdout)
    assert len(whole) == 7
    assert findings((repository / "findings.jsonl").read_text()) == whole


def test_shares_of_a_matrix_find_together_what_one_run_finds(repository: Path) -> None:
    (text,) = [block for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "matrix" in block]
    job = yaml.safe_load(text)
    (command,) = [step["run"] for step in job["steps"] if "exportdb-lsp check" in step.get("run", "")]
    command = command.replace("github", "jsonl")
    found: list[set[tuple[str, int, str]]] = []
    for shard in job["strategy"]["matrix"]["shard"]:
        found.append(findings(shell(command.replace("${{ matrix.shard }}", str(shard)), repository).stdout))
    assert all(found)
    whole = findings(shell("exportdb-lsp check . --output-format jsonl", repository).stdout)
    assert (set[tuple[str, int, str]]().union(*found), sum(map(len, found))) == (whole, len(whole))
