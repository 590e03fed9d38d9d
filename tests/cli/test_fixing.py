"""`--fix`, `--unsafe-fixes` and `--diff`: what is changed, what is left alone, and that nothing is lost on the way."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from exportdb_lsp.checking import fix_loop
from exportdb_lsp.files.rewriting import read_text_file, replace_atomically, write_back

from .conftest import BRANCH, CLEAN, DATA, Program

# What the preferred fix of `BRANCH` writes.
REWRITTEN = "torch.where("


ASSERTED = BRANCH.replace("if x.sum() > 0:", "assert (x > 0).all(), 'no'\n        if x is not None:")


def test_unsafe_fixes_need_to_be_asked_for(run: Program) -> None:
    path = run.write("net.py", ASSERTED)
    assert run("check", "--fix", "net.py").status == 1
    assert path.read_text() == ASSERTED
    done = run("check", "--fix", "--unsafe-fixes", "net.py")
    assert done.status == 0
    assert "torch._assert_async((x > 0).all(), 'no')" in path.read_text()


def test_an_operator_that_demands_something_of_two_dimensions_is_fixed_for_both(run: Program) -> None:
    text = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        h, w = x.shape
        return x.reshape(h // 2, 2, w // 2, 2)


example_args = (torch.randn(8, 12),)
dynamic_shapes = {"x": {0: torch.export.Dim("h"), 1: torch.export.Dim("w")}}
"""
    path = run.write("net.py", text)
    assert run("check", "--fix", "--unsafe-fixes", "net.py").status == 0
    assert '{0: 2 * torch.export.Dim("_h"), 1: 2 * torch.export.Dim("_w")}' in path.read_text()


def test_unsafe_fixes_alone_change_nothing(run: Program) -> None:
    path = run.write("net.py", ASSERTED)
    assert run("check", "--unsafe-fixes", "net.py").status == 1
    assert path.read_text() == ASSERTED


def test_diff_shows_and_changes_nothing(run: Program) -> None:
    path = run.write("net.py", BRANCH)
    done = run("check", "--diff", "--unsafe-fixes", "net.py")
    assert done.status == 1
    assert path.read_text() == BRANCH
    assert done.out.startswith("--- net.py\n+++ net.py\n@@ ")
    assert "Would apply 1 fix in 1 file." in done.err


def test_the_diff_can_be_applied_by_patch(run: Program) -> None:
    path = run.write("net.py", BRANCH.replace("\n", "\r\n").rstrip())
    diff = run("check", "--diff", "--unsafe-fixes", "net.py").out_bytes
    run("check", "--fix", "--unsafe-fixes", "net.py")
    fixed = path.read_bytes()
    path.write_bytes(BRANCH.replace("\n", "\r\n").rstrip().encode())
    subprocess.run(["git", "apply", "-p0", "--whitespace=nowarn", "-"], input=diff, cwd=run.folder, check=True)
    assert path.read_bytes() == fixed


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_stay(run: Program, newline: str) -> None:
    path = run.write("net.py", BRANCH.replace("\n", newline))
    assert run("check", "--fix", "--unsafe-fixes", "net.py").status == 0
    written = path.read_bytes().decode()
    assert REWRITTEN in written
    assert "\n" not in written.replace(newline, "")


def test_the_byte_order_mark_stays(run: Program) -> None:
    path = run.write("net.py", b"\xef\xbb\xbf" + BRANCH.encode())
    assert run("check", "--fix", "--unsafe-fixes", "net.py").status == 0
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfimport torch")
    assert data.count(b"\xef\xbb\xbf") == 1


def test_the_encoding_stays(run: Program) -> None:
    path = run.write("net.py", ("# coding: latin-1\n# é\n" + BRANCH).encode("latin-1"))
    assert run("check", "--fix", "--unsafe-fixes", "net.py").status == 0
    assert path.read_bytes().startswith("# coding: latin-1\n# é\n".encode("latin-1"))
    assert REWRITTEN.encode() in path.read_bytes()


def test_the_mode_stays(run: Program) -> None:
    path = run.write("net.py", BRANCH)
    path.chmod(0o751)
    run("check", "--fix", "--unsafe-fixes", "net.py")
    assert REWRITTEN in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o751


def test_a_read_only_file_is_reported_and_left(run: Program) -> None:
    path = run.write("net.py", BRANCH)
    path.chmod(0o444)
    done = run("check", "--fix", "--unsafe-fixes", "net.py")
    assert done.status == 2
    assert "net.py: not fixed: read-only" in done.err
    assert path.read_text() == BRANCH


def test_a_file_that_somebody_else_changes_meanwhile_is_theirs(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    path = run.write("net.py", BRANCH)
    rewrite = fix_loop.rewrite

    def slowly(*arguments: Any, **options: Any) -> fix_loop.Rewriting:
        path.write_text(BRANCH + "# theirs\n")
        return rewrite(*arguments, **options)

    monkeypatch.setattr(fix_loop, "rewrite", slowly)
    done = run("check", "--fix", "--unsafe-fixes", "net.py")
    assert done.status == 2
    assert "net.py" in done.err
    assert "the file changed in the meantime" in done.err
    assert path.read_text() == BRANCH + "# theirs\n"
    assert [entry.name for entry in run.folder.iterdir() if entry.name.endswith(".tmp")] == []


def read_only(path: Path, patch: pytest.MonkeyPatch) -> None:
    path.chmod(0o444)


def full(path: Path, patch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    patch.setattr(os, "fsync", refuse)


def changed(path: Path, patch: pytest.MonkeyPatch) -> None:
    rewrite = fix_loop.rewrite

    def slowly(*arguments: Any, **options: Any) -> fix_loop.Rewriting:
        path.write_text("# theirs\n" + BRANCH)
        return rewrite(*arguments, **options)

    patch.setattr(fix_loop, "rewrite", slowly)


def linked(path: Path, patch: pytest.MonkeyPatch) -> None:
    path.with_name("other.txt").hardlink_to(path)


OUTPUTS: dict[str, Callable[[str], int]] = {
    "text": lambda out: out.count("EDB101"),
    "json": lambda out: len(json.loads(out)),
    "jsonl": lambda out: len(out.splitlines()),
    "github": lambda out: out.count("::error"),
    "gitlab": lambda out: len(json.loads(out)),
    "sarif": lambda out: len(json.loads(out)["runs"][0]["results"]),
}


@pytest.mark.parametrize("refuse", [read_only, full, changed, linked], ids=lambda refuse: refuse.__name__)
@pytest.mark.parametrize("output_format", OUTPUTS)
def test_what_was_not_written_is_found(
    run: Program, monkeypatch: pytest.MonkeyPatch, output_format: str, refuse: Callable[..., None]
) -> None:
    """Beside a file that is fixed, in every format, at the lines that the disk has."""
    path = run.write("net.py", BRANCH)
    run.write("other.py", BRANCH)
    refuse(path, monkeypatch)
    done = run("check", "--fix", "--unsafe-fixes", "--output-format", output_format, "net.py", "other.py")
    left = 2 if refuse is full else 1
    assert OUTPUTS[output_format](done.out) == left
    assert done.status == 2
    assert "net.py: not fixed: " in done.err
    if output_format == "text":
        assert ("1 fixed." in done.out) == (refuse is not full)
        assert f"net.py:{8 if refuse is changed else 7}:" in done.out


def test_a_baseline_holds_what_was_not_written(run: Program) -> None:
    run.write("net.py", BRANCH).chmod(0o444)
    done = run("check", "--fix", "--unsafe-fixes", "--write-baseline", "known.json", "net.py")
    assert "1 finding written to known.json" in done.err
    assert run("check", "--baseline", "known.json", "net.py").status == 0


def test_a_file_with_other_names_is_reported_and_left(run: Program) -> None:
    path = run.write("net.py", BRANCH)
    (run.folder / "same.py").hardlink_to(path)
    done = run("check", "--fix", "--unsafe-fixes", "net.py")
    assert "net.py: not fixed: it has 1 other name (hard links)" in done.err
    assert path.stat().st_nlink == 2
    assert path.read_text() == BRANCH


def test_extended_attributes_stay(run: Program) -> None:
    path = run.write("net.py", BRANCH)
    try:
        os.setxattr(path, "user.origin", b"by hand")
    except (AttributeError, OSError):
        pytest.skip("no extended attributes here")
    run("check", "--fix", "--unsafe-fixes", "net.py")
    assert REWRITTEN in path.read_text()
    assert os.getxattr(path, "user.origin") == b"by hand"


def test_an_attribute_that_cannot_be_kept_is_told(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    path = run.write("net.py", BRANCH)
    try:
        os.setxattr(path, "user.origin", b"by hand")
    except (AttributeError, OSError):
        pytest.skip("no extended attributes here")

    def refuse(*arguments: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "setxattr", refuse)
    done = run("check", "--fix", "--unsafe-fixes", "net.py")
    assert "net.py: not fixed: its extended attribute user.origin cannot be preserved" in done.err
    assert path.read_text() == BRANCH


def test_an_owner_that_cannot_be_kept_is_told(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    path = run.write("net.py", BRANCH)
    os.chown(path, 12345, 12345)
    run("check", "--fix", "--unsafe-fixes", "net.py")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12345)
    path.write_text(BRANCH)

    def refuse(*arguments: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refuse)
    done = run("check", "--fix", "--unsafe-fixes", "net.py")
    assert "net.py: not fixed: its owner or group cannot be preserved" in done.err
    assert path.read_text() == BRANCH
    assert [entry.name for entry in run.folder.iterdir() if entry.name.endswith(".tmp")] == []


def test_a_link_out_of_the_project_is_reported_and_left(run: Program, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "net.py"
    outside.write_text(BRANCH)
    (run.folder / "net.py").symlink_to(outside)
    done = run("check", "--fix", "--unsafe-fixes", "net.py")
    assert done.status == 2
    assert "outside the project" in done.err
    assert outside.read_text() == BRANCH


def test_a_folder_may_be_the_link_out_of_the_project(run: Program, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "net.py").write_text(BRANCH)
    (run.folder / "part").symlink_to(outside)
    done = run("check", "--fix", "--unsafe-fixes", "part/net.py")
    assert done.status == 2
    assert "part/net.py: not fixed: a symbolic link to" in done.err
    assert (outside / "net.py").read_text() == BRANCH


def test_a_project_that_is_reached_through_a_link_is_fixed(
    run: Program, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = run.write("net.py", BRANCH)
    link = tmp_path_factory.mktemp("link") / "project"
    link.symlink_to(run.folder)
    assert run("check", "--fix", "--unsafe-fixes", link / "net.py").status == 0
    assert REWRITTEN in path.read_text()


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_of_a_new_file(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        replace_atomically(tmp_path / "new", b"1")
        (tmp_path / "other").write_bytes(b"1")
    finally:
        os.umask(before)
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "other")}
    assert modes == {0o666 & ~umask}


def test_through_a_link_inside_the_project_the_file_is_written(run: Program) -> None:
    path = run.write("real.py", BRANCH)
    (run.folder / "net.py").symlink_to(path)
    run("check", "--fix", "--unsafe-fixes", "net.py")
    assert (run.folder / "net.py").is_symlink()
    assert REWRITTEN in path.read_text()


def test_a_file_without_fixes_is_not_touched(run: Program) -> None:
    path = run.write("fine.py", CLEAN)
    os.utime(path, (1_000_000, 1_000_000))
    run("check", "--fix", "--unsafe-fixes", ".")
    assert path.stat().st_mtime == 1_000_000


def test_standard_input_comes_back_fixed(run: Program) -> None:
    done = run("check", "-", "--fix", "--unsafe-fixes", stdin=DATA.replace("\n", "\r\n"))
    assert b".detach()\r\n" in done.out_bytes
    assert b"Found" not in done.out_bytes
    untouched = run("check", "-", "--fix", stdin=CLEAN)
    assert (untouched.status, untouched.out) == (0, CLEAN)


def test_several_fixes_in_one_file(run: Program) -> None:
    body = DATA + BRANCH.split("\n\n\n", 1)[1] + BRANCH.split("\n\n\n", 1)[1].replace("Net", "Other")
    path = run.write("net.py", body)
    done = run("check", "--fix", "--unsafe-fixes", "net.py")
    assert (done.status, path.read_text().count(REWRITTEN)) == (0, 2)
    compile(path.read_text(), "net.py", "exec")


def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    texts = ["# " + letter * 200_000 + "\n" for letter in "ab"]
    path.write_text(texts[0])
    for number in range(200):
        begun, say = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                while True:
                    file = read_text_file(path)
                    write_back(file, texts[file.text == texts[0]], tmp_path)
                    os.write(say, b".")
            finally:
                os._exit(1)
        os.read(begun, 1)
        # Another moment of the loop each time.
        time.sleep(number * 0.0001)
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        os.close(begun)
        os.close(say)
        assert path.read_text() in texts
        for left in tmp_path.glob(".net.py.*"):
            left.unlink()


def test_a_kill_at_any_moment_of_a_run_that_fixes_loses_nothing(run: Program) -> None:
    path = run.write("net.py", BRANCH)
    arguments = ("check", "--fix", "--unsafe-fixes", "--no-cache", "net.py")
    run(*arguments)
    fixed = path.read_text()
    assert REWRITTEN in fixed
    path.write_text(BRANCH)
    began = time.monotonic()
    run(*arguments)  # again, with everything imported: as it is for the children
    took = time.monotonic() - began
    for number in range(200):
        path.write_text(BRANCH)
        child = os.fork()
        if child == 0:
            try:
                run(*arguments)
            finally:
                os._exit(0)
        # From before its first line to after its last, which comes a little later than in this process.
        time.sleep(took * 1.5 * number / 200)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert path.read_text() in (BRANCH, fixed)
        assert {entry.name for entry in run.folder.glob("*.py")} == {"net.py"}
