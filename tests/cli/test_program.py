"""The program around the commands: version, help, rule, doctor, completion, and what the server refuses to start on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from exportdb_lsp import __version__
from exportdb_lsp.cli.program import COMMANDS
from exportdb_lsp.cli.serve import is_loopback, parse_address
from exportdb_rules.rule import documented

from .conftest import Program


def test_the_version_is_the_packages(run: Program) -> None:
    done = run("--version")
    assert (done.status, done.out) == (0, f"exportdb-lsp {__version__}\n")


def test_python_m_is_the_same_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "exportdb_lsp", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"exportdb-lsp {__version__}\n"


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_help(run: Program, command: str) -> None:
    done = run(command, "--help")
    assert done.status == 0
    assert done.out.startswith(f"Usage: exportdb-lsp {command}")
    listed = run("--help").out
    assert re.search(rf"^  {command} +\S", listed, re.MULTILINE)


def test_without_a_command_there_is_help_and_a_failure(run: Program) -> None:
    assert run().status == 2


@pytest.mark.parametrize("asked", ["EDB101", "edb101", "tensor-branch"])
def test_a_rule_is_explained_by_code_or_name(run: Program, asked: str) -> None:
    done = run("rule", asked)
    assert done.status == 0
    assert "EDB101" in done.out
    assert "What it does" in done.out


@pytest.mark.parametrize("asked", ["EDB001", "unused-suppression"])
def test_the_finding_about_comments_is_explained_too(run: Program, asked: str) -> None:
    done = run("rule", asked)
    assert done.status == 0
    assert done.out.startswith("# unused-suppression (EDB001)")


def test_all_rules(run: Program) -> None:
    objects = run("rule", "--all", "--output-format", "json").json
    assert [o["code"] for o in objects] == [rule.code for rule in documented()]
    assert all(o["documentation"] and o["url"].startswith("https://") for o in objects)
    (name,) = {o["name"] for o in objects if o["code"] == "EDB101"}
    assert name == "tensor-branch"


def test_one_rule_as_json_is_one_object(run: Program) -> None:
    assert run("rule", "EDB101", "--output-format", "json").json["name"] == "tensor-branch"


@pytest.mark.parametrize("arguments", [["rule"], ["rule", "EDB101", "--all"], ["rule", "tensor-brunch"]])
def test_a_rule_that_is_none(run: Program, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.status == 2
    if "tensor-brunch" in arguments:
        assert "did you mean tensor-branch?" in done.err


def test_doctor_tells_which_torch(run: Program) -> None:
    import torch

    done = run("doctor", "--python", sys.executable)
    assert done.status == 0
    assert str(torch.__version__) in done.out
    assert sys.executable in done.out


def test_doctor_names_what_is_wrong(run: Program, tmp_path: Path) -> None:
    done = run("doctor", "--python", str(tmp_path / "no-python"))
    assert done.status == 2
    assert "cannot be started" in done.out
    bare = run.write("bare", f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    bare.chmod(0o755)
    wrong = [f for f in run("doctor", "--python", str(bare), "--output-format", "json").json if f["wrong"]]
    assert [f["topic"] for f in wrong] == ["torch"]
    assert "pip install torch" in wrong[0]["text"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_program(run: Program, shell: str) -> None:
    done = run("completion", shell)
    assert done.status == 0
    assert "_EXPORTDB_LSP_COMPLETE" in done.out


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:2087", ("127.0.0.1", 2087)),
        (":2087", ("127.0.0.1", 2087)),
        ("2087", ("127.0.0.1", 2087)),
        ("[::1]:0", ("::1", 0)),
        ("example.org:1", ("example.org", 1)),
    ],
)
def test_addresses(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org", ""])
def test_other_machines(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--tcp", "0.0.0.0:0"], "--allow-remote"),
        (["--tcp", "0.0.0.0:0", "--allow-remote"], "--token"),
        (["--tcp", "nonsense"], "HOST:PORT"),
        (["--tcp", "127.0.0.1:99999"], "HOST:PORT"),
        (["--stdio", "check"], "without a command"),
    ],
)
def test_what_the_server_refuses(run: Program, arguments: list[str], reason: str) -> None:
    os.environ.pop("EXPORTDB_LSP_TOKEN", None)
    done = run(*arguments)
    assert done.status == 2
    assert reason in done.err
