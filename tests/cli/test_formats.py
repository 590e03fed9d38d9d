"""The formats for people, for code hosts and for code scanning."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from concurrent.futures import BrokenExecutor

import pytest
from exportdb_lsp.cli import check_run

from .conftest import BRANCH, CLEAN, DATA, Program


def test_text_names_place_rule_line_and_consequence(run: Program) -> None:
    run.write("src/net.py", BRANCH)
    done = run("check", "src")
    lines = done.out.splitlines()
    assert lines[0].startswith("src/net.py:7:12: EDB101 ")
    assert any(line.endswith("|         if x.sum() > 0:") for line in lines)
    assert any(line.endswith("|            ^^^^^^^^^^^") for line in lines)
    assert "non-strict fails" in done.out
    assert lines[-2] == "Found 1 problem in 1 file."
    assert "\x1b" not in done.out


def test_text_of_a_clean_project(run: Program) -> None:
    run.write("net.py", CLEAN)
    assert run("check", ".").out == "No problems found in 1 file.\n"


def test_colour_is_for_terminals_and_no_color_is_honoured(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("net.py", BRANCH)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("check", "net.py").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("check", "net.py").out


def test_a_line_of_the_file_cannot_drive_the_terminal(run: Program) -> None:
    run.write("net.py", BRANCH.replace("> 0:", "> 0:  # \x1b[31m\x07"))
    out = run("check", "net.py").out
    assert "\x1b" not in out
    assert "\x07" not in out


def test_github(run: Program) -> None:
    run.write("a,b/net.py", BRANCH)
    done = run("check", ".", "--output-format", "github")
    (line,) = done.out.splitlines()
    assert line.startswith(
        "::error title=exportdb (EDB101),file=a%2Cb/net.py,line=7,endLine=7,col=12,endColumn=23::a,b/net.py:7:12: EDB101 "
    )
    assert done.status == 1


def test_gitlab(run: Program) -> None:
    run.write("net.py", BRANCH + BRANCH.replace("Net", "Other"))
    first, second = run("check", ".", "--output-format", "gitlab").json
    assert first["location"] == {"path": "net.py", "lines": {"begin": 7, "end": 7}}
    assert first["severity"] in ("info", "minor", "major", "critical", "blocker")
    assert first["check_name"] == "tensor-branch"
    assert first["fingerprint"] != second["fingerprint"]


def test_a_gitlab_fingerprint_survives_lines_above(run: Program) -> None:
    run.write("net.py", BRANCH)
    (before,) = run("check", ".", "--output-format", "gitlab").json
    run.write("net.py", "# one\n# two\n" + BRANCH)
    (after,) = run("check", ".", "--output-format", "gitlab").json
    assert before["location"] != after["location"]
    assert before["fingerprint"] == after["fingerprint"]


def test_statistics(run: Program) -> None:
    run.write("net.py", BRANCH + BRANCH.replace("Net", "Other"))
    run.write("scale.py", DATA)
    done = run("check", ".", "--statistics")
    counted = [re.split(r"\s+", line.strip())[:2] for line in done.out.splitlines()[:2]]
    assert counted == [["2", "EDB101"], ["1", "EDB201"]]
    # Beside a format for programs the counts go to stderr, so that the output stays what it is.
    done = run("check", ".", "--statistics", "--output-format", "json")
    assert len(json.loads(done.out)) == 3
    assert "EDB101" in done.err


def test_baseline(run: Program) -> None:
    run.write("net.py", BRANCH)
    done = run("check", ".", "--write-baseline", "known.json")
    assert (done.status, done.out) == (0, "")
    assert run("check", ".", "--baseline", "known.json").status == 0
    run.write("net.py", "# moved\n" + BRANCH)
    assert run("check", ".", "--baseline", "known.json").status == 0
    run.write("net.py", BRANCH + BRANCH.replace("Net", "Other"))
    done = run("check", ".", "--baseline", "known.json", "--output-format", "json")
    assert (done.status, [f["entry"] for f in done.json]) == (1, ["Other.forward"])


@pytest.mark.parametrize("content", ["", "[]", '{"version": 1}', '{"version": 1, "findings": [3]}', "\0"])
def test_a_broken_baseline_is_an_error(run: Program, content: str) -> None:
    run.write("net.py", CLEAN)
    run.write("known.json", content)
    done = run("check", ".", "--baseline", "known.json")
    assert done.status == 2
    assert "known.json" in done.err


def test_without_a_baseline_that_can_be_read_everything_is_new(run: Program) -> None:
    run.write("net.py", BRANCH)
    done = run("check", "net.py", "--baseline", "known.json", "--output-format", "json")
    assert (done.status, [finding["code"] for finding in done.json]) == (2, ["EDB101"])


def test_a_baseline_that_is_written_anew_keeps_what_was_known(run: Program) -> None:
    run.write("net.py", BRANCH)
    run("check", ".", "--write-baseline", "known.json")
    run.write("net.py", BRANCH + BRANCH.replace("Net", "Other"))
    done = run("check", ".", "--baseline", "known.json", "--write-baseline", "known.json")
    assert (done.status, done.err) == (0, "2 findings written to known.json\n")
    assert run("check", ".", "--baseline", "known.json").status == 0
    assert run("check", ".", "--diff", "--write-baseline", "known.json").status == 2


def test_a_missing_baseline_is_an_error(run: Program) -> None:
    run.write("net.py", CLEAN)
    done = run("check", ".", "--baseline", "known.json")
    assert done.status == 2
    assert "known.json: cannot be read" in done.err


@pytest.mark.parametrize("separator", ["\n", "\0"])
def test_files_from(run: Program, separator: str) -> None:
    run.write("a.py", BRANCH)
    run.write("b c.py", BRANCH)
    run.write("not listed.py", BRANCH)
    names = separator.join(["a.py", "b c.py", ""])
    listed = run.write("list", names)
    for done in (
        run("check", "--files-from", listed, "--output-format", "json"),
        run("check", "--files-from", "-", "--output-format", "json", stdin=names),
    ):
        assert len(done.json) == 2
    assert run("check", "--files-from", "missing").status == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")
@pytest.mark.parametrize("kind", ["pipe", "endless", "huge", "huge input"])
def test_names_are_read_from_what_ends(run: Program, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("net.py", BRANCH)
    listed = run.folder / "names"
    if kind == "pipe":
        os.mkfifo(listed)
    elif kind == "endless":
        listed.symlink_to("/dev/zero")
    else:
        monkeypatch.setattr(check_run, "MAX_NAMES", 100)
        listed.write_text("net.py\n" * 100)
    if kind == "huge input":
        done = run("check", "--files-from", "-", stdin=listed.read_bytes())
    else:
        done = run("check", "--files-from", str(listed))
    assert done.status == 2
    assert "cannot be read" in done.err
    assert done.out == ""


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no such names here")
def test_names_from_a_pipe_that_the_shell_opened(run: Program) -> None:
    run.write("net.py", BRANCH)
    end, start = os.pipe()
    os.write(start, b"net.py\n")
    os.close(start)
    assert "EDB101" in run("check", "--files-from", f"/dev/fd/{end}").out
    os.close(end)


def test_shards_give_the_same_findings(run: Program) -> None:
    # Big enough to be cut: small projects are checked in one process whatever --jobs says.
    padding = "# " + "x" * 120_000 + "\n"
    for number in range(8):
        run.write(f"net{number}.py", padding + BRANCH)
    one = run("check", ".", "--output-format", "json", "--no-cache")
    two = run("check", ".", "--output-format", "json", "--no-cache", "--jobs", "2")
    assert len(one.json) == 8
    assert two.json == one.json
    kept = run("check", ".", "--output-format", "json", "--jobs", "2")
    again = run("check", ".", "--output-format", "json")
    assert (kept.json, again.json) == (one.json, one.json)


def test_what_a_process_cannot_do_is_done_without_it(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    padding = "# " + "x" * 400_000 + "\n"
    for number in range(2):
        run.write(f"net{number}.py", padding + BRANCH)
    # Nobody can be asked for what cannot be sent to a process.
    monkeypatch.setattr("exportdb_lsp.checking.worker_pool._employed", lambda do, piece: do(None, piece))
    done = run("check", ".", "--output-format", "json", "--no-cache", "--jobs", "2")
    assert [finding["code"] for finding in done.json] == ["EDB101", "EDB101"]


def test_processes_that_are_lost_are_done_without(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool that lost a process takes nothing any more: not while the files are traced, nor for their fixes."""
    padding = "# " + "x" * 400_000 + "\n"
    for number in range(2):
        run.write(f"net{number}.py", padding + BRANCH)

    def broken(*_: object) -> object:
        raise BrokenExecutor("a child process terminated abruptly")

    monkeypatch.setattr("exportdb_lsp.checking.worker_pool.ProcessPoolExecutor.submit", broken)
    done = run("check", ".", "--output-format", "json", "--no-cache", "--jobs", "2")
    assert [(finding["code"], finding["fix"] is None) for finding in done.json] == [("EDB101", False)] * 2


HEAVY = ("torch", "pygls", "lsprotocol", "rich", "libcst", "numpy")


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--version"], HEAVY),
        (["--help"], HEAVY),
        (["check", "fine.py", "--output-format", "json"], ("torch", "pygls", "lsprotocol", "rich", "numpy")),
        (["check", "fine.py"], ("torch", "pygls", "lsprotocol", "rich", "numpy")),
        (["rule", "EDB101", "--output-format", "json"], ("torch", "pygls", "lsprotocol", "rich", "numpy")),
    ],
)
def test_a_command_imports_only_what_it_needs(run: Program, arguments: list[str], unwanted: tuple[str, ...]) -> None:
    run.write("fine.py", CLEAN)
    script = (
        "import sys\n"
        "from exportdb_lsp.cli.program import program\n"
        f"try:\n    program({arguments!r})\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {unwanted!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=run.folder, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


HELPER = "# {padding}\n\n\ndef pick(x):\n    if x.sum() > 0:{comment}\n        return x + 1\n    return x - 1\n"
CALLER = "# {padding}\nfrom torch import nn\n\nfrom helper import pick\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return pick(x)\n"


@pytest.mark.parametrize("comment", ["", "  # exportdb: ignore[EDB101]"])
def test_an_entry_reaches_lines_of_another_part(run: Program, comment: str) -> None:
    # Each of the files is a part of its own: the entry and the line that it reaches are met by different processes.
    run.write("helper.py", HELPER.format(padding="x" * 400_000, comment=comment))
    run.write("net.py", CALLER.format(padding="x" * 400_000))
    one = run("check", ".", "--output-format", "json", "--no-cache")
    two = run("check", ".", "--output-format", "json", "--no-cache", "--jobs", "2")
    assert [finding["entry"] for finding in one.json] == ([] if comment else ["Net.forward"])
    assert two.json == one.json


def test_a_line_that_only_another_file_reaches_stays_found_after_fixing(run: Program) -> None:
    own = "\n\nfrom torch import nn\n\n\nclass Own(nn.Module):\n    def forward(self, x: torch.Tensor):\n        return x + x.data\n"
    path = run.write("helper.py", HELPER.format(padding="", comment="") + own)
    run.write("net.py", CALLER.format(padding=""))
    done = run("check", "--fix", ".", "--ignore", "EDB101", "--output-format", "json")
    assert done.json == []
    path.write_text(path.read_text().replace(".detach()", ".data").replace("return x - 1", "return x.numpy()"))
    done = run("check", "--fix", ".", "--output-format", "json", "--select", "EDB2")
    assert [finding["code"] for finding in done.json] == ["EDB204"]
    assert ".detach()" in path.read_text()
