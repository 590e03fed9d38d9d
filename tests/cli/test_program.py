"""The program around the commands: version, help, rule, doctor, completion, and what the server refuses to start on."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from exportdb_lsp import __version__
from exportdb_lsp.cli.program import COMMANDS, program
from exportdb_lsp.cli.serve import is_loopback, parse_address
from exportdb_rules.rule import documented

from ..command_lines import own_words
from .conftest import BRANCH, Program


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


def commands(group: click.Group = program, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command with how it is called, those of groups included."""
    context = click.Context(group, info_name="exportdb-lsp")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield " ".join((*path, name)), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def test_every_option_says_what_it_does() -> None:
    silent = [
        f"{name} {parameter.opts[0]}"
        for name, command in [("", program), *commands()]
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden and not (parameter.help or "").split("[")[0]
    ]
    assert silent == []


def test_help_is_not_cut_off(run: Program) -> None:
    cut = [
        name for name, _ in [("", program), *commands()] if "..." in run(*name.split(), "--help").out.partition("\n")[2]
    ]
    assert cut == []


@pytest.mark.parametrize("command", ["check", "export", "doctor", "cases run"])
def test_commands_for_pipelines_tell_their_exit_statuses(run: Program, command: str) -> None:
    assert re.search(r"^  Exit status: 0 .*2 ", run(*command.split(), "--help").out, re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_help_are_commands(run: Program) -> None:
    seen = 0
    for name, _ in commands():
        for line in run(*name.split(), "--help").out.splitlines():
            if match := re.match(r"    .*\bexportdb-lsp (.+)$", line):
                words = shlex.split(match[1])
                command = program.get_command(click.Context(program), words[0])
                assert command is not None
                known = {option for parameter in command.params for option in parameter.opts}
                own = own_words(command, words[1:])
                assert {word for word in own if word.startswith("-") and word != "-"} <= known, line
                seen += 1
    assert seen >= 10


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
    assert "name the interpreter of your model (--python, setting `interpreter`)" in wrong[0]["text"]


def test_doctor_starts_the_worker_and_nothing_of_the_current_folder(run: Program) -> None:
    for name in ("json", "queue", "torch", "sitecustomize"):
        run.write(f"{name}.py", "raise RuntimeError('nobody asked for this file')\n")
    done = run("doctor", "--python", sys.executable, "--output-format", "json")
    told = {finding["topic"]: finding for finding in done.json}
    assert done.status == 0, done.out
    assert told["worker"]["text"].startswith(f"starts in {sys.executable}; each export runs in a process")


def test_doctor_names_settings_at_their_place(run: Program) -> None:
    run.write("pyproject.toml", "[tool.exportdb]\nmode = 'fast'\n")
    wrong = [f for f in run("doctor", "--python", "nowhere/python", "--output-format", "json").json if f["wrong"]]
    assert [f["topic"] for f in wrong] == ["settings", "worker"]
    assert "pyproject.toml:2:1: mode: must be" in wrong[0]["text"]
    assert wrong[1]["text"].startswith(f"{run.folder / 'nowhere/python'} cannot be started: No such file")


STREAMS = [
    # Closed or full standard streams, the exit status, and what is said.
    ("check net.py >&-", 1, ""),
    ("check - <&-", 0, ""),
    ("rule EDB101 >&-", 0, ""),
    ("check net.py --output-format json >/dev/full", 2, "Error: No space left on device\n"),
    ("cases list >/dev/full", 2, "Error: No space left on device\n"),
    ("rule --all >/dev/full", 2, "Error: No space left on device\n"),
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(("arguments", "status", "said"), STREAMS, ids=[s[0] for s in STREAMS])
def test_standard_streams_that_are_closed_or_full(run: Program, arguments: str, status: int, said: str) -> None:
    run.write("net.py", BRANCH)
    command = f"{shlex.quote(sys.executable)} -m exportdb_lsp {arguments}"
    done = subprocess.run(["sh", "-c", command], cwd=run.folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, said)


def test_a_reader_that_has_had_enough_is_no_error(run: Program) -> None:
    command = f"{shlex.quote(sys.executable)} -m exportdb_lsp rule --all | head -n 1"
    done = subprocess.run(["sh", "-c", command], cwd=run.folder, capture_output=True, text=True, check=False)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


# With two jobs: while their processes start, while long answers come from them, and in between.
@pytest.mark.parametrize(("jobs", "seconds"), [("1", 2), ("2", 0.3), ("2", 0.7), ("2", 0.9), ("2", 1.1), ("2", 2)])
def test_an_interrupt_ends_a_check_without_a_word_and_with_its_own_status(
    run: Program, jobs: str, seconds: float
) -> None:
    for number in range(60):
        run.write(f"net{number}.py", BRANCH.replace("Net", f"Net{number}") * 400)
    process = subprocess.Popen(
        [sys.executable, "-m", "exportdb_lsp", "check", "--no-cache", "--jobs", jobs, "."],
        cwd=run.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        # A background job of a shell ignores interrupts, and so would all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    time.sleep(seconds)
    assert process.poll() is None, "it was over too soon"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    # A shell shows 130 for both: what the signal ends while Python starts, too.
    assert process.returncode in (130, -signal.SIGINT)
    assert (out, err) == ("", "")


# An interrupt that arrives in the callback of a weak reference: Python drops it there, and says so.
DROPPED = """
import os, signal, sys, weakref
from exportdb_rules import engine
original, asked = engine.check_unit, []
class Dying: pass
def check_unit(*given, **named):
    asked.append(given)
    dying = Dying()
    reference = weakref.ref(dying, lambda _: os.kill(os.getpid(), signal.SIGINT))
    del dying
    return original(*given, **named)
engine.check_unit = check_unit
sys.unraisablehook = lambda _: None
sys.argv = ["exportdb-lsp", "check", "--no-cache", "--jobs", "1", "."]
from exportdb_lsp.__main__ import main
try:
    main()
finally:
    print(len(asked))
"""


def test_an_interrupt_that_python_drops_ends_a_check(run: Program) -> None:
    for number in range(3):
        run.write(f"net{number}.py", BRANCH)
    command = [sys.executable, "-c", DROPPED]
    done = subprocess.run(command, cwd=run.folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "1\n", "")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("che", "check"),
        ("check --assu", "--assume-dynamic"),
        ("check --mode no", "non-strict"),
        ("rule EDB10", "EDB101"),
        ("rule tensor-br", "tensor-branch"),
        ("cases sh", "show"),
        ("cases show tensor_i", "tensor_if"),
        ("completion z", "zsh"),
    ],
)
def test_the_shell_completes(run: Program, typed: str, offered: str) -> None:
    """As the script asks that `completion bash` prints."""
    words = f"exportdb-lsp {typed}".split(" ")
    environment = {
        **os.environ,
        "_EXPORTDB_LSP_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    command = [
        sys.executable,
        "-c",
        "import sys; from exportdb_lsp.__main__ import main; sys.argv[0] = 'exportdb-lsp'; main()",
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert f"plain,{offered}" in done.stdout.splitlines(), done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_takes_its_script(run: Program) -> None:
    script = run.write("completion.bash", run("completion", "bash").out)
    command = ["bash", "--norc", "-c", f"source {shlex.quote(str(script))} && complete -p exportdb-lsp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("exportdb-lsp")


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
        (["--tcp", "0.0.0.0:0", "--allow-remote"], "EXPORTDB_LSP_TOKEN, --token-file"),
        (["--tcp", "127.0.0.1:0", "--token-file", "never-there"], "cannot be read"),
        (["--tcp", "127.0.0.1:0", "--token-file", os.devnull], "not a regular file"),
        (["--tcp", "127.0.0.1:0", "--token-file", __file__], "cannot be read: larger than"),
        (["--tcp", "nonsense"], "HOST:PORT"),
        (["--tcp", "127.0.0.1:99999"], "HOST:PORT"),
        (["--stdio", "check"], "cannot be combined with a command"),
    ],
)
def test_what_the_server_refuses(run: Program, arguments: list[str], reason: str) -> None:
    os.environ.pop("EXPORTDB_LSP_TOKEN", None)
    done = run(*arguments)
    assert done.status == 2
    assert reason in done.err


@pytest.mark.parametrize("content", [b"", b" \n", b"one\ntwo\n", b"\xff\xfe"])
def test_a_token_file_has_one_line(run: Program, content: bytes) -> None:
    (run.folder / "token").write_bytes(content)
    done = run("--tcp", "0.0.0.0:0", "--allow-remote", "--token", "other", "--token-file", "token")
    assert done.status == 2
    assert "--token-file token: " in done.err


INVERSE = (
    "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.linalg.inv(x)\n"
)


def test_check_knows_what_the_export_is_for(run: Program) -> None:
    run.write("net.py", INVERSE)
    arguments = ("check", "net.py", "--output-format", "json")
    assert run(*arguments).json == []
    # Nor does what was kept of one goal answer for another.
    assert [found["code"] for found in run(*arguments, "--to", "onnx").json] == ["EDB1001"]
    assert [found["code"] for found in run(*arguments, "--to", "executorch").json] == ["EDB1002"]
    run.write("pyproject.toml", '[tool.exportdb]\nto = ["onnx"]\n')
    assert [found["code"] for found in run(*arguments).json] == ["EDB1001"]
    assert run(*arguments, "--to", "aoti").json == []
