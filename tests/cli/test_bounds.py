"""Where the analyser stops following calls it says so, and that is no error."""

from __future__ import annotations

import pytest
from exportdb_rules import engine
from exportdb_rules.interpreter.machine import MAX_CALLS_DEEP
from exportdb_rules.project import Project

from .conftest import Program


def chain(length: int) -> str:
    """A model behind whose call so many functions stand, the last of which branches on a tensor."""
    functions = [f"def f{i}(x):\n    return f{i + 1}(x)\n\n\n" for i in range(length)]
    last = f"def f{length}(x):\n    if x.sum() > 0:\n        return x\n    return -x\n\n\n"
    net = "class Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n        return f0(x)\n"
    return "import torch\n\n\n" + "".join(functions) + last + net


DEEP = chain(MAX_CALLS_DEEP + 3)
WORDS = f"are nested more than {MAX_CALLS_DEEP} deep; deeper ones are not analyzed"


def test_a_note_on_standard_error_and_the_status_of_what_was_found(run: Program) -> None:
    run.write("net.py", DEEP)
    for _ in range(2):  # the second time from what was kept
        done = run("check", "net.py")
        assert done.status == 0, done.err
        assert "No problems found in 1 file." in done.out
        assert done.err.count("note: ") == 1
        assert WORDS in done.err
        assert "error" not in done.err


def test_no_note_where_everything_was_followed(run: Program) -> None:
    run.write("net.py", chain(MAX_CALLS_DEEP - 3))
    done = run("check", "net.py")
    assert (done.status, done.err) == (1, "")


def test_json_holds_findings_only(run: Program) -> None:
    run.write("net.py", DEEP)
    done = run("check", "net.py", "--output-format", "json")
    assert (done.status, done.json) == (0, [])
    assert WORDS in done.err


def test_sarif_has_a_notification_that_is_a_note(run: Program) -> None:
    run.write("net.py", DEEP)
    (invocation,) = run("check", "net.py", "--output-format", "sarif").json["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is True
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["level"] == "note"
    assert WORDS in notification["message"]["text"]


@pytest.mark.parametrize("edits", [1, 3])
def test_it_is_said_again_after_an_edit(edits: int) -> None:
    project = Project()
    for number in range(edits):
        project.set_text("/net.py", DEEP + f"# {number}\n")
        (problem,) = engine.check(project, "/net.py").problems
        assert problem.note
        assert WORDS in problem.message
