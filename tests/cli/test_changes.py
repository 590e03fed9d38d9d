"""`check --changed-since` and `--watch`, and the order of what `check` writes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from exportdb_lsp.cli.program import program

BAD = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1
"""
GOOD = "import torch\n"


def git(folder: Path, *arguments: str) -> None:
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env={**os.environ, **identity})


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """`old.py` is on main; on a branch `committed.py` was added, `edited.py` is changed, `new.py` is not added yet."""
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    git(tmp_path, "init", "-q", "-b", "main")
    for name in ("old.py", "edited.py", "removed.py"):
        (tmp_path / name).write_text(BAD if name == "old.py" else GOOD, "utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    git(tmp_path, "checkout", "-q", "-b", "work")
    (tmp_path / "committed.py").write_text(BAD, "utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "two")
    git(tmp_path, "checkout", "-q", "main")
    (tmp_path / "later.py").write_text(BAD, "utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "three, on main only")
    git(tmp_path, "checkout", "-q", "work")
    (tmp_path / "edited.py").write_text(BAD, "utf-8")
    (tmp_path / "new.py").write_text(BAD, "utf-8")
    (tmp_path / "removed.py").unlink()
    return tmp_path


def found(*arguments: str) -> set[str]:
    done = CliRunner().invoke(program, ["check", "--no-cache", "--output-format", "json", *arguments])
    return {Path(finding["filename"]).name for finding in json.loads(done.stdout)}


def test_only_what_changed_since_is_checked(repository: Path) -> None:
    folder = str(repository)
    assert found(folder) == {"old.py", "committed.py", "edited.py", "new.py"}
    assert found(folder, "--changed-since", "main") == {"committed.py", "edited.py", "new.py"}
    assert found(folder, "--changed-since", "HEAD") == {"edited.py", "new.py"}
    assert found(str(repository / "edited.py"), "--changed-since", "main") == {"edited.py"}


@pytest.mark.parametrize("reference", ["nowhere", "--output=x", "main^{tree}"])
def test_a_reference_that_is_none_is_an_error(repository: Path, reference: str) -> None:
    done = CliRunner().invoke(program, ["check", str(repository), f"--changed-since={reference}"])
    assert done.exit_code == 2
    assert f"--changed-since {reference}: " in done.stderr
    assert not (repository / "x").exists()


def test_outside_of_a_repository_that_is_said(tmp_path: Path) -> None:
    done = CliRunner(env={"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}).invoke(
        program, ["check", str(tmp_path), "--changed-since", "main"]
    )
    assert done.exit_code == 2
    assert "--changed-since main: " in done.stderr


def test_the_summary_comes_last_where_both_streams_go_to_one_place(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(BAD, "utf-8")
    (tmp_path / "broken.py").write_text("def (:\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "exportdb_lsp", "check", "--no-cache", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    places = [done.stdout.index(words) for words in ("EDB101", "error: ", "Found 1 problem")]
    assert places == sorted(places), done.stdout
    assert done.returncode == 2


def test_a_file_is_checked_again_when_it_changes(tmp_path: Path) -> None:
    pytest.importorskip("watchfiles", reason="the extra `watch` is not installed")
    net = tmp_path / "net.py"
    net.write_text(GOOD, "utf-8")
    command = [sys.executable, "-u", "-m", "exportdb_lsp", "check", "--no-cache", "--watch", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        try:
            lines = iter(process.stdout)
            before = "".join(
                line for line in iter(lambda: next(lines), "Watching for changes; press Ctrl-C to stop.\n")
            )
            net.write_text(BAD, "utf-8")
            after = "".join(line for line in iter(lambda: next(lines), "Watching for changes; press Ctrl-C to stop.\n"))
        finally:
            process.kill()
    assert "No problems found in 1 file." in before
    assert "net.py changed" in after
    assert "EDB101" in after


@pytest.mark.parametrize("arguments", [["--watch", "-"], ["--changed-since", "main", "-"], ["--watch", "--fix"]])
def test_what_makes_no_sense_together_is_refused(arguments: list[str]) -> None:
    assert CliRunner().invoke(program, ["check", *arguments]).exit_code == 2
