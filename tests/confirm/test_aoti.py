"""Exports that are for AOTInductor: the package that it compiles runs beside eager, and that is the verdict."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from exportdb_lsp import worker
from exportdb_lsp.cli.doctor import tools
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.worker.goals import GOALS, compiler
from exportdb_rules.finding import Mode

from .. import proofs
from .conftest import Export, RowOf
from .goals import SCHEMA, export_to, fails_as_without_the_goal, linked, marked

compiled = pytest.mark.skipif(
    shutil.which(compiler()) is None, reason=f"packages of AOTInductor are not tested: {compiler()} is not installed"
)

# A compilation takes a quarter of a minute: it is made again where the code that asks for it has changed (proofs.py).
SOURCES = (Path(__file__), *sorted(Path(worker.__file__).parent.rglob("*.py")))


@compiled
def test_a_package_that_agrees_with_eager_is_ok(request: pytest.FixtureRequest, export: Export):
    text = """
    # exportdb: args=(torch.randn(5, 4), 2) kwargs={"flag": None, "scale": torch.randn(4)} dynamic_shapes={"x": {0: Dim("b", max=99)}, "n": None, "scale": None, "flag": None}
    class Net(nn.Module):
        def forward(self, x, n, scale=None, flag=None):
            return {"y": x * scale, "rest": (x.mean() * n, None, x.argmax(-1))}
    """

    def prove() -> None:
        result = export_to("aoti", export, text, modes=(Mode.STRICT,), timeout=300.0)
        assert result.outcome is Outcome.OK, result.message
        assert result.message == f"exports to AOTInductor, and agrees with eager on {result.calls} calls"
        assert result.calls > 5  # at other sizes too
        assert [(d.input, d.axis, d.dynamic, d.upper) for d in result.dimensions] == [("x", 0, True, 99)]

    proofs.once(request, "packages", "agrees", proofs.key(SOURCES, text), prove)


@compiled
def test_a_path_that_was_not_traced_computes_something_else(request: pytest.FixtureRequest, export: Export):
    text = """
    # exportdb: args=(torch.randn(8, 4),) dynamic_shapes={"x": {0: Dim.DYNAMIC}}
    class Net(nn.Module):
        def forward(self, x):
            if x.shape[0] > 5:
                return x * 2
            return x + 1
    """

    def prove() -> None:
        result = export_to("aoti", export, text, timeout=300.0)
        assert (result.outcome, marked(result)) == (Outcome.DIVERGES, "if x.shape[0] > 5:")
        assert result.difference is not None
        assert result.difference.sizes == "x[0]=2"
        assert "the AOTInductor package" in result.message

    proofs.once(request, "packages", "diverges", proofs.key(SOURCES, text), prove)


# A package as AOTInductor makes them, without its compilation: every call begins with the first buffers.
STAND_IN = """
    import copy
    import torch._inductor
    torch._inductor.aoti_compile_and_package = lambda program, **options: program
    torch._inductor.aoti_load_package = lambda made: lambda *inputs: copy.deepcopy(made).module()(*inputs)
"""


@compiled
def test_the_graph_is_what_is_compiled_and_linked_with_the_lines(export: Export, row_of: RowOf):
    text = """
    # exportdb: args=(torch.randn(5, 4),)
    class Net(nn.Module):
        def forward(self, x):
            y = x.log_softmax(-1)
            return torch.cumsum(y, 0)
    """
    result = export_to("aoti", export, text + STAND_IN, show_graph=True)
    assert result.graph is not None
    assert result.graph.text.startswith(
        "# The program that AOTInductor compiles, after its decompositions\ndef forward(x: "
    )
    # The softmax is several operators there.
    rows = [row for _, row in linked(result)]
    assert rows.count(row_of(text, "x.log_softmax")) > 3
    assert rows[-1] == row_of(text, "torch.cumsum")
    assert "aten.cumsum.default" in linked(result)[-1][0]


@compiled
def test_what_a_model_writes_to_a_buffer_is_not_kept(export: Export):
    text = """
    # exportdb: args=(torch.randn(3),)
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.zeros(1))

        def forward(self, x):
            self.calls.add_(1)
            return x * self.calls
    """
    result = export_to("aoti", export, text + STAND_IN)
    assert (result.outcome, marked(result)) == (Outcome.DIVERGES, "self.calls.add_(1)")
    assert result.message.endswith("the AOTInductor package does not keep what the model writes to buffer calls")


@compiled
def test_an_operator_that_cannot_be_compiled_is_named_on_its_line(export: Export):
    text = """
    # exportdb: args=(torch.randn(3, 3),)
    class Net(nn.Module):
        def forward(self, x):
            y = (x + 1).to_sparse()
            y = y.to_dense()
            return y.abs() + 1
    """
    result = export_to("aoti", export, text, timeout=300.0)
    assert (result.outcome, marked(result)) == (Outcome.FAILS, "y = y.to_dense()"), result.message
    assert result.operator == "aten._to_dense.default"
    assert result.message.startswith("AOTInductor cannot compile `aten._to_dense.default`: ")


def test_an_export_that_fails_before_the_goal_fails_as_without_one(export: Export):
    fails_as_without_the_goal(
        export, "aoti", "import shutil; shutil.which = lambda name: name  # no compiler is needed for this"
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("import os; os.environ['CXX'] = 'g++-0'", "the C++ compiler g++-0 is not installed (install it, or set CXX)"),
        ("torch.__version__ = type(torch.__version__)('2.5.1')", "(pip install 'torch>=2.6')"),
    ],
    ids=["compiler", "torch"],
)
def test_what_is_missing_is_told(export: Export, change: str, reason: str):
    text = f"""
    # exportdb: args=(torch.randn(3),)
    class Net(nn.Module):
        def forward(self, x):
            return x


    {change}
    """
    result = export_to("aoti", export, text)
    assert result.outcome is Outcome.NO_TOOLS
    assert result.message.startswith("not exported to AOTInductor: ")
    assert result.message.endswith(reason)


@pytest.mark.parametrize("name", ["python3", "g++-0"])
def test_the_doctor_tells_the_compiler(monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setenv("CXX", name)
    (line,) = [line for line in tools(sys.executable) if line.topic == "aoti"]
    assert line.text == (shutil.which(name) or "for --to aoti, install g++-0, or set CXX")
    assert not line.wrong


def test_the_schema_of_results_has_every_goal():
    assert SCHEMA["$defs"]["result"]["properties"]["goal"]["enum"] == [*GOALS, None]
