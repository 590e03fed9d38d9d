"""Calls of torch.export that the user's own code makes, reached by running it: the outcome is that of the call."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner
from exportdb_lsp.cli.program import program
from exportdb_lsp.confirm import sites
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import ExportResult, Outcome
from exportdb_rules.finding import Mode

HEAD = """\
import torch
from torch.export import Dim


class Net(torch.nn.Module):
    flag = False

    def forward(self, x):
        if self.flag and x.sum() > 0:
            return x + torch.ones(4)
        return x * 2


"""


def export(confirmer: Confirmer, folder: Path, text: str, **options: object) -> list[ExportResult]:
    (folder / "script.py").write_text(HEAD + dedent(text))
    options.setdefault("own_mode", True)
    request = ExportRequest(str(folder / "script.py"), root=folder, draft=False, **options)  # type: ignore[arg-type]
    return list(confirmer.run(request))


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("torch.export.export(Net(), (torch.randn(4),))\nraise SystemExit(3)\n", ["ok"]),
        ("net = Net()\nnet.flag = True\ntorch.export.export(net, (torch.randn(4),))\n", ["fails"]),
        ("from torch.export import export as ex\nex(torch.nn.Sequential(Net()), (torch.randn(4),))\n", ["ok"]),
        (
            "from functools import partial\nex = partial(torch.export.export, strict=True)\nex(Net(), (torch.randn(4),))\n",
            ["ok"],
        ),
        (
            "shapes = {}\nshapes['x'] = {0: Dim('b', max=9)}\n"
            "class Slice(torch.nn.Module):\n    def forward(self, x):\n        return x + torch.ones(4)\n"
            "torch.export.export(Slice(), (torch.randn(4),), dynamic_shapes=shapes)\n",
            ["fails"],
        ),
        (
            """
            def main():
                for flag in (False, True):
                    net = Net()
                    net.flag = flag
                    try:
                        torch.export.export(net, (torch.randn(4),))
                    except Exception:
                        print("as expected")
                raise AssertionError("this is behind the last call")

            if __name__ == "__main__":
                main()
            """,
            ["ok", "fails"],
        ),
        (
            """
            def helper(net, size):
                return torch.export.export(net, (torch.randn(size),))

            helper(Net(), 2)
            helper(torch.nn.ReLU(), 3)
            """,
            ["ok", "ok"],
        ),
        (
            """
            def exported():
                class Local(torch.nn.Module):
                    def forward(self, x):
                        return x[: int(x.sum().item())] if x.sum() > 0 else x

                return torch.export.export(Local(), (torch.randn(4),))
            """,
            ["fails"],
        ),
        (
            """
            import unittest

            class Exports(unittest.TestCase):
                def setUp(self):
                    self.net = Net()
                    self.net.flag = True

                def test_it(self):
                    torch.export.export(self.net, (torch.randn(4),))
                    self.fail("behind the call")
            """,
            ["fails"],
        ),
        (
            """
            import pytest

            @pytest.fixture
            def net():
                return Net()

            @pytest.mark.parametrize("flag", [True, False])
            def test_it(net, flag):
                net.flag = flag
                torch.export.export(net, (torch.randn(4),))
            """,
            ["fails", "ok"],
        ),
        (
            "with torch.inference_mode():\n    net, x = torch.nn.Linear(4, 4), torch.randn(2, 4)\n"
            "class Add(torch.nn.Module):\n    def forward(self, x):\n        return x.add_(1)\n"
            "torch.export.export(Add(), (x,))\n",
            ["fails"],
        ),
        (
            """
            def pick(name):
                return getattr(torch.export, name)

            pick("export")(Net(), (torch.randn(4),))
            {"draft": torch.export.draft_export}["draft"](Net(), (torch.randn(4),))
            """,
            ["ok", "ok"],
        ),
        (
            """
            COMMANDS = {}

            def command(function):
                COMMANDS[function.__name__] = function
                return function

            @command
            def first(flag):
                net = Net()
                net.flag = flag
                return torch.export.export(net, (torch.randn(4),))

            @command
            def second(flag=True):
                net = Net()
                net.flag = flag
                return torch.export.export(net, (torch.randn(4),))

            COMMANDS["first"](False)
            try:
                COMMANDS["first"](True)
            except Exception:
                COMMANDS["second"]()
            """,
            ["ok", "fails", "fails"],
        ),
        (
            """
            def one(net):
                return torch.export.export(net, (torch.randn(4),))

            def two(net):
                net.flag = True
                return torch.export.export(net, (torch.randn(4),))

            STEPS = [one, two]
            for step in reversed(STEPS):
                try:
                    step(Net())
                except Exception:
                    pass
            """,
            ["fails", "ok"],
        ),
        (
            """
            program = torch.export.export(Net(), (torch.randn(4),))
            try:
                torch.onnx.export(program, dynamo=True)
            except Exception:
                print("what it needs is not installed")
            torch.export.export(torch.nn.ReLU(), (torch.randn(4),))
            """,
            ["ok", "ok"],
        ),
        (
            """
            import threading

            def job(flag):
                net = Net()
                net.flag = flag
                try:
                    torch.export.export(net, (torch.randn(4),))
                except Exception:
                    pass

            for flag in (True, False):
                thread = threading.Thread(target=job, args=(flag,))
                thread.start()
                thread.join()
            """,
            ["fails", "ok"],
        ),
        (
            """
            import unittest

            class Tests(unittest.TestCase):
                def check(self, flag):
                    net = Net()
                    net.flag = flag
                    torch.export.export(net, (torch.randn(4),))

                def test_one(self):
                    self.check(True)

                def test_two(self):
                    self.check(False)
            """,
            ["fails", "ok"],
        ),
        (
            # pytest writes the statement out, which Dynamo reads in that form.
            """
            class Bounded(torch.nn.Module):
                def forward(self, x):
                    assert x.max() < 1e6
                    return x * 2

            def test_it():
                torch.export.export(Bounded(), (torch.ones(3),), strict=True)
            """,
            ["fails"],
        ),
        (
            """
            def go():
                torch.export.export(Net(), (torch.randn(4),))
                int("seven")
                torch.export.export(Net(), (torch.randn(4),))

            go()
            """,
            ["ok", "not-rebuilt"],
        ),
        (
            """
            import importlib
            import sys

            make = getattr(importlib.import_module("torch.export"), "export")
            make(Net(), (torch.randn(4),))
            sys.modules["torch.export"].export(torch.nn.ReLU(), (torch.randn(4),))
            """,
            ["ok", "ok"],
        ),
        ("with torch.inference_mode():\n    torch.export.export(Net(), (torch.randn(4),))\n", ["ok"]),
        ("def convert(net):\n    return torch.export.export(net, ())\n", ["not-rebuilt"]),
        ("open('no such file')\ntorch.export.export(Net(), (torch.randn(4),))\n", ["not-rebuilt"]),
        ("import sys\nsys.exit(2)\ntorch.export.export(Net(), (torch.randn(4),))\n", ["not-rebuilt"]),
    ],
)
def test_the_outcome_is_that_of_the_call(confirmer: Confirmer, tmp_path: Path, text: str, outcomes: list[str]) -> None:
    results = export(confirmer, tmp_path, text)
    assert [result.outcome.value for result in results] == outcomes, results


def test_a_helper_in_another_file_makes_the_call(confirmer: Confirmer, tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text(
        "import torch\n\ndef convert(net, flag):\n    net.flag = flag\n"
        "    return torch.export.export(net, (torch.randn(4),))\n"
    )
    results = export(confirmer, tmp_path, "import helpers\nnet = Net()\nhelpers.convert(net, False)\n")
    assert [(result.target, result.outcome) for result in results] == [("Net", Outcome.OK)]
    results = export(
        confirmer, tmp_path, "from helpers import convert as c\nfor f in (False, True):\n    c(Net(), f)\n"
    )
    assert [result.outcome for result in results] == [Outcome.OK, Outcome.FAILS]


def test_the_way_to_a_line_begins_in_the_project(confirmer: Confirmer, tmp_path: Path) -> None:
    text = """\
        import pytest

        class Fixed(torch.nn.Module):
            def forward(self, x):
                return x + torch.ones(4)

        @pytest.mark.parametrize("net", [Fixed()])
        def test_it(net):
            torch.export.export(net, (torch.randn(4),), dynamic_shapes={"x": {0: Dim("b")}})
    """
    (result,) = export(confirmer, tmp_path, text)
    assert result.outcome is Outcome.FAILS
    assert [frame.function for frame in result.frames] == ["test_it", "forward"]


def test_what_is_no_module_is_refused_as_torch_refuses_it(confirmer: Confirmer, tmp_path: Path) -> None:
    (result,) = export(confirmer, tmp_path, "torch.export.export(lambda x: x + 1, (torch.randn(4),))\n")
    assert result.outcome is Outcome.FAILS
    assert "nn.Module" in result.message


@pytest.mark.parametrize(
    "context", ["torch.device('meta')", "torch._subclasses.fake_tensor.FakeTensorMode(allow_non_fake_inputs=True)"]
)
def test_tensors_without_values_are_not_compared(confirmer: Confirmer, tmp_path: Path, context: str) -> None:
    text = f"with {context}:\n    torch.export.export(torch.nn.Linear(4, 4), (torch.randn(2, 4),))\n"
    (result,) = export(confirmer, tmp_path, text)
    assert (result.outcome, result.calls) == (Outcome.OK, 0), result
    assert "no values" in result.message


def test_the_mode_is_the_calls_own_unless_one_is_asked_for(confirmer: Confirmer, tmp_path: Path) -> None:
    text = "torch.export.export(Net(), (torch.randn(4),), strict=True)\n"
    (result,) = export(confirmer, tmp_path, text)
    assert result.mode is Mode.STRICT
    (result,) = export(confirmer, tmp_path, text, own_mode=False, modes=(Mode.NON_STRICT,))
    assert result.mode is Mode.NON_STRICT


def test_nothing_behind_the_last_call_is_run(confirmer: Confirmer, tmp_path: Path) -> None:
    text = "torch.export.export(Net(), (torch.randn(4),))\nopen('written', 'w')\n"
    (result,) = export(confirmer, tmp_path, text)
    assert result.outcome is Outcome.OK
    assert not (tmp_path / "written").exists()


def test_a_name_picks_the_calls_of_a_class_or_of_a_function(confirmer: Confirmer, tmp_path: Path) -> None:
    text = """
        def one():
            torch.export.export(Net(), (torch.randn(4),))

        def two():
            torch.export.export(torch.nn.ReLU(), (torch.randn(4),))
        """
    assert [r.target for r in export(confirmer, tmp_path, text)] == ["Net", "ReLU"]
    assert [r.target for r in export(confirmer, tmp_path, text, name="Net")] == ["Net"]
    assert [r.target for r in export(confirmer, tmp_path, text, name="two")] == ["ReLU"]


def test_a_call_that_was_not_reached_says_where_and_how_to_get_there(confirmer: Confirmer, tmp_path: Path) -> None:
    (result,) = export(confirmer, tmp_path, "int('seven')\ntorch.export.export(Net(), (torch.randn(4),))\n")
    assert result.frame is not None
    assert result.frame.code.startswith("torch.export.export")
    for words in ("script.py:15", "ValueError at script.py:14", "exportdb-lsp run script.py"):
        assert words in result.message


def test_one_tensor_given_twice_is_given_twice(confirmer: Confirmer, tmp_path: Path) -> None:
    """Export takes both inputs for one (torch 2.13, both modes): the program computes x + x."""
    text = """
        class Add(torch.nn.Module):
            def forward(self, x, y):
                return x + 2 * y

        x = torch.randn(3)
        torch.export.export(Add(), (x, x))
        """
    (result,) = export(confirmer, tmp_path, text)
    assert result.outcome is Outcome.DIVERGES


def test_the_ends_of_a_declared_range_are_tried(confirmer: Confirmer, tmp_path: Path) -> None:
    text = "torch.export.export({}, (torch.randn(4, 4),), dynamic_shapes=({{0: Dim('b', min=1)}},))\n"
    (result,) = export(confirmer, tmp_path, text.format("torch.nn.ReLU()"))
    assert result.outcome is Outcome.OK
    (result,) = export(confirmer, tmp_path, text.format("torch.nn.Unflatten(0, (-1, 1))"))
    assert result.outcome in (Outcome.SPECIALIZES, Outcome.OK)
    assert result.calls > 8 or result.outcome is Outcome.SPECIALIZES


def test_inputs_that_became_constants_are_told(confirmer: Confirmer, tmp_path: Path) -> None:
    text = """
        class Sum(torch.nn.Module):
            def forward(self, x, dim, scale=1.0):
                return x.sum(dim) * scale

        torch.export.export(Sum(), (torch.randn(2, 3), 1), {"scale": 2.0})
        """
    (result,) = export(confirmer, tmp_path, text)
    assert (result.outcome, dict(result.constants)) == (Outcome.OK, {"dim": "1", "scale": "2.0"})


@pytest.mark.parametrize("strict", [False, True])
def test_inputs_are_told_by_their_names_whatever_the_order_of_the_keywords(
    confirmer: Confirmer, tmp_path: Path, strict: bool
) -> None:
    text = f"""
        class Sum(torch.nn.Module):
            def forward(self, x, other, weight, dim):
                return (x * weight * other).sum(dim)

        given = {{"weight": torch.randn(2, 3), "dim": 1, "other": 2.0}}
        rows = {{"x": {{0: torch.export.Dim("rows")}}, "dim": None, "weight": {{0: torch.export.Dim("rows")}}, "other": None}}
        torch.export.export(Sum(), (torch.randn(2, 3),), given, dynamic_shapes=rows, strict={strict})
        """
    (result,) = export(confirmer, tmp_path, text)
    assert (result.outcome, dict(result.constants)) == (Outcome.OK, {"dim": "1", "other": "2.0"}), result.message
    assert [(d.input, d.dynamic) for d in result.dimensions] == [("x", True), ("weight", True)]


def test_what_is_run_to_get_to_a_call() -> None:
    text = dedent(
        """
        import torch.export as te

        def helper(net): return te.export(net, ())
        def unused(net): return te.export(net, ())
        def alone(): return helper(1)
        def test_it(): te.export(0, ())
        if __name__ == "__main__":
            print([helper(n) for n in (1, 2)])
        """
    )
    calls = sites.of_text(text)
    assert [(h.how, h.names, [s.function for s in h.sites]) for h in calls.holders] == [
        ("main", (), ["helper"]),
        ("pytest", ("test_it",), ["test_it"]),
    ]
    assert [site.function for site in calls.lost] == ["unused"]
    assert calls.scopes[0] == [(9, 9, True)]


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent_workers: None) -> Callable[[str], list[dict[str, Any]]]:
    """What `export` says of a path, as JSON."""
    monkeypatch.chdir(tmp_path)
    command = ["export", "--output-format", "json"]
    return lambda path: json.loads(CliRunner().invoke(program, [*command, path]).stdout)


def test_a_folder_is_every_file_in_it_that_exports_something(
    shown: Callable[[str], list[dict[str, Any]]], tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "calls.py").write_text(HEAD + "torch.export.export(Net(), (torch.randn(4),))\n")
    (tmp_path / "plain.py").write_text("print('not run')\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "model.py").write_text(HEAD.replace("class Net", "# exportdb: args=(torch.randn(4),)\nclass Net"))
    named = [(Path(row["filename"]).name, row["outcome"]) for row in shown(".")]
    assert named == [("calls.py", "ok"), ("model.py", "ok")]


def test_a_notebook_has_its_places_in_its_cells(shown: Callable[[str], list[dict[str, Any]]], tmp_path: Path) -> None:
    sources = [
        HEAD,
        "%matplotlib inline\nnet = Net()\nnet.flag = True\n",
        "torch.export.export(net, (torch.randn(4),))",
    ]
    cells = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
        for source in sources
    ]
    book = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "try.ipynb").write_text(json.dumps(book))
    (row,) = shown("try.ipynb")
    assert (row["outcome"], row["cell"], row["row"]) == ("fails", 1, 9), row
    assert [frame["cell"] for frame in row["frames"]] == [1]


# --- exportdb-lsp run ---------------------------------------------------------------------------------------------


def run(
    folder: Path, *arguments: str, text: str = "", timeout: float = 120
) -> tuple[subprocess.CompletedProcess[str], list[dict[str, object]]]:
    """The command on a script, and the results that it wrote."""
    if text:
        (folder / "script.py").write_text(HEAD + dedent(text))
    results = folder / "results.json"
    command = [sys.executable, "-m", "exportdb_lsp", "run", "--results", str(results), *(arguments or ("script.py",))]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout, check=False)
    return done, json.loads(results.read_text()) if results.exists() else []


def outcomes(rows: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(row["target"], row["outcome"]) for row in rows]


def test_a_program_runs_as_it_would_alone(tmp_path: Path) -> None:
    """What is logged and printed to files, too: the copies that judge the calls share the program's open files."""
    text = """
        import logging, sys, random
        handler = logging.StreamHandler(open("model.log", "w"))
        logging.getLogger("model").addHandler(handler)

        class Loud(Net):
            def forward(self, x):
                logging.getLogger("model").warning("called")
                print("called", file=printed, flush=True)
                return super().forward(x)

        print(sys.argv, __name__, __file__ == sys.argv[0], sys.path[0])
        random.seed(1); torch.manual_seed(1)
        net = Net()
        print(type(torch.export.export(net, (torch.randn(4),))).__name__, random.random(), torch.rand(1).item())
        net.flag = True
        try:
            torch.export.export(net, (torch.randn(4),))
        except Exception as error:
            import traceback
            print(len(traceback.format_exc().splitlines()) > 4, "exportdb" in traceback.format_exc())
        print(net.flag, list(net.state_dict()), file=sys.stderr)
        sys.stdout = printed = open("printed.txt", "w")
        torch.export.export(Loud(), (torch.randn(4),))
        sys.exit(7)
        """
    done, rows = run(tmp_path, "script.py", "--a", "b", text=text)
    files = [tmp_path / "model.log", tmp_path / "printed.txt"]
    watched = [file.read_text() for file in files]
    plain = subprocess.run(
        [sys.executable, "script.py", "--a", "b"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) == (7, plain.stdout)
    assert watched == [file.read_text() for file in files]
    assert all(watched)
    assert outcomes(rows) == [("Net", "ok"), ("Net", "fails"), ("Loud", "ok")]
    assert "3 exports: 1 fails, 2 ok" in done.stderr


def test_an_error_that_nobody_catches_looks_as_it_does_alone(tmp_path: Path) -> None:
    call = "torch.export.export(torch.nn.ReLU(), (torch.randn(4),))\n"
    done, rows = run(tmp_path, text=call + "Net.missing\n")
    assert outcomes(rows) == [("ReLU", "ok")]
    # Nothing of the call is in the traceback.
    (tmp_path / "script.py").write_text(HEAD + "None\nNet.missing\n")
    plain = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == plain.returncode == 1
    assert plain.stderr in done.stderr


def test_a_module_is_run_as_python_does(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        HEAD + "def test_one():\n    torch.export.export(Net(), (torch.randn(4),))\n\n\ndef test_two():\n    assert 0\n"
    )
    done, rows = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py")
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert outcomes(rows) == [("Net", "ok")]


@pytest.mark.parametrize(
    ("text", "status", "expected"),
    [
        (
            "import os, signal\ntorch.export.export(Net(), (torch.randn(4),))\nos.kill(os.getpid(), signal.SIGKILL)\n",
            137,
            ["ok"],
        ),
        (
            "import os\nos.closerange(3, 256)\ntorch.export.export(Net(), (torch.randn(4),))\n"
            "real = torch.export.export\ntorch.export.export = lambda *a, **k: real(*a, **k)\n"
            "torch.export.export(Net(), (torch.randn(4),))\n",
            0,
            ["ok", "ok"],
        ),
        (
            "import os\nclass Quits(torch.nn.Module):\n    def forward(self, x):\n        os._exit(9)\n"
            "torch.export.export(Net(), (torch.randn(4),))\ntorch.export.export(Quits(), (torch.randn(4),))\n",
            9,
            ["ok", "crash"],
        ),
        ("torch.export.export = None\nprint('no export at all')\n", 0, []),
    ],
    ids=["is killed", "closes descriptors, replaces export", "exits in the second export", "takes export away"],
)
@pytest.mark.skipif(os.name == "nt", reason="signals and descriptors of POSIX")
def test_a_hostile_program_gets_an_honest_outcome(tmp_path: Path, text: str, status: int, expected: list[str]) -> None:
    done, rows = run(tmp_path, text=text)
    assert done.returncode == status, done.stderr
    assert [row["outcome"] for row in rows] == expected


STARTS_ANOTHER = """
    import subprocess, sys, time
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdout=subprocess.DEVNULL)
    print(child.pid, flush=True)
    {}
    time.sleep(600)
    """


def gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_program_that_never_ends_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    text = dedent(STARTS_ANOTHER.format("")).replace("import torch\n", "")
    (tmp_path / "script.py").write_text(text)
    done, rows = run(tmp_path, "--limit", "3", "script.py")
    assert (done.returncode, rows) == (124, [])
    assert gone(int(done.stdout))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_who_ends_the_command_ends_the_program(tmp_path: Path) -> None:
    line = "torch.export.export(Net(), (torch.randn(4),)); print('exported', flush=True)"
    (tmp_path / "script.py").write_text(HEAD + dedent(STARTS_ANOTHER).format(line))
    results = tmp_path / "results.json"
    command = [sys.executable, "-m", "exportdb_lsp", "run", "--results", str(results), "script.py"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert process.stdout.readline() == "exported\n"
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM
    os.kill(child, signal.SIGKILL)  # alone, the program would have left it behind, too
    assert outcomes(json.loads(results.read_text())) == [("Net", "ok")]


def test_what_cannot_be_run_is_said_in_a_line(tmp_path: Path) -> None:
    done, _ = run(tmp_path, "missing.py")
    assert (done.returncode, done.stderr) == (2, "Error: missing.py: no such file\n")
