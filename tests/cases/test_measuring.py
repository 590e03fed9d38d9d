"""The measurement itself: each verdict comes out for the program that deserves it, whatever the program does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from exportdb_cases.collection import Case, all_cases
from exportdb_lsp.cli.program import program
from exportdb_lsp.measure.run import MeasureError, MeasureRequest, measure
from exportdb_rules.finding import Mode

# They are measured once: all of these go to the same worker.
pytestmark = pytest.mark.xdist_group("measuring")

HEAD = "import os, random, time, torch\n\nclass Model(torch.nn.Module):\n"
TAIL = "\ntags = set()\nmodel = Model()\n"
ARGS = "example_args = (torch.randn(4, 2),)\n"

PROGRAMS = {
    "fine": ("    def forward(self, x):\n        return x.sin()\n", ARGS),
    "branch": ("    def forward(self, x):\n        y = x\n        return x if y.sum() > 0 else y\n", ARGS),
    "baked": ("    def forward(self, x):\n        return x + random.random()\n", ARGS),
    "state": (
        "    n = 0\n    def forward(self, x):\n        self.n += 1\n        return x * self.n\n",
        ARGS,
    ),
    "frozen": (
        "    def forward(self, x):\n        return x + torch.ones(4, 2)\n",
        ARGS + 'dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}\n',
    ),
    "narrowed": (
        "    def forward(self, x):\n        return x.sin() if x.shape[0] > 3 else x.cos()\n",
        ARGS + 'dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}\n',
    ),
    "writes_input": ("    def forward(self, x):\n        x.add_(1)\n        return x.sum()\n", ARGS),
    "eager_error": ("    def forward(self, x):\n        return x.no_such_thing()\n", ARGS),
    "broken_file": ("    def forward(self, x):\n        return x\n", "example_args = no_such_name\n"),
    "exits": ("    def forward(self, x):\n        os._exit(3)\n", ARGS),
    "hangs": ("    def forward(self, x):\n        time.sleep(600)\n", ARGS),
    "prints": ('    def forward(self, x):\n        print("{\\"case\\": 1}" * 9999)\n        return x.sin()\n', ARGS),
}


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    cases: list[Case] = []
    for name, (body, inputs) in PROGRAMS.items():
        path = folder / f"{name}.py"
        path.write_text(HEAD + body + inputs + TAIL, encoding="utf-8")
        cases.append(Case(name, "control_flow", path, name, frozenset()))
    request = MeasureRequest(tuple(cases), modes=(Mode.NON_STRICT,), interpreter=sys.executable, timeout=20)
    measured = measure(request)
    return {name: modes["non-strict"] for name, modes in measured.records.items()}


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("fine", "ok"),
        ("branch", "fails"),
        ("baked", "diverges"),
        ("state", "diverges"),
        ("frozen", "specializes"),
        ("narrowed", "specializes"),
        ("writes_input", "ok"),
        ("prints", "ok"),
        ("eager_error", "fails"),
        ("broken_file", None),
        ("exits", None),
        ("hangs", None),
    ],
)
def test_the_verdict(records, name: str, verdict: str | None) -> None:
    assert records[name].verdict == verdict


def test_a_failure_names_its_line(records) -> None:
    assert records["branch"].line == 6
    assert records["branch"].exception.endswith("GuardOnDataDependentSymNode")


def test_what_could_not_be_measured_says_why(records) -> None:
    assert "no_such_name" in records["broken_file"].error
    assert "exit 3" in records["exits"].error
    assert "no result after 20 s" in records["hangs"].error


def test_the_graph_is_recognised_again(records) -> None:
    assert records["fine"].graph == records["prints"].graph
    assert records["fine"].graph != records["writes_input"].graph


def test_an_interpreter_that_is_not_there_is_one_clear_error() -> None:
    with pytest.raises(MeasureError, match="cannot start /no/such/python: No such file"):
        measure(MeasureRequest((), interpreter="/no/such/python"))


def test_an_interpreter_without_torch_is_one_clear_error(tmp_path: Path) -> None:
    bare = tmp_path / "python"
    # `-I -S` keeps every installed package away, as a fresh environment would.
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    bare.chmod(0o755)
    with pytest.raises(MeasureError, match="could not measure: ModuleNotFoundError: No module named 'torch'"):
        measure(MeasureRequest((), interpreter=str(bare)))


def test_fixes_are_not_measured_where_no_torch_is_found(tmp_path: Path) -> None:
    python = str(tmp_path / "bin" / "python")
    done = CliRunner().invoke(program, ["cases", "run", "tensor_if", "--fixed", "--python", python])
    assert (done.exit_code, done.stderr.strip()) == (2, f"Error: {python} has no torch")


@pytest.mark.parametrize("program", ["true", "false"])
def test_what_is_no_interpreter_is_one_clear_error(program: str) -> None:
    """It ends without reading what it is asked."""
    with pytest.raises(MeasureError, match=f"/bin/{program} could not measure: it ended with"):
        measure(MeasureRequest(all_cases(), interpreter=f"/bin/{program}"))


def test_an_interpreter_that_greets_and_files_of_the_current_folder_disturb_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    greeting = tmp_path / "python"
    greeting.write_text(f'#!/bin/sh\necho "Welcome!"\necho 3\nexec {sys.executable} "$@"\n')
    greeting.chmod(0o755)
    for module in ("random", "json", "select"):
        (tmp_path / f"{module}.py").write_text("raise RuntimeError('nobody asked for this file')\n")
    monkeypatch.chdir(tmp_path)
    case = next(case for case in all_cases() if case.name == "tensor_if")
    measured = measure(MeasureRequest((case,), modes=(Mode.NON_STRICT,), interpreter=str(greeting)))
    assert measured.records["tensor_if"]["non-strict"].verdict == "fails"
