"""Exports that are for ONNX: torch.onnx.export makes the model, onnxruntime runs it beside eager, and that is the verdict."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from exportdb_lsp.cli.doctor import examine
from exportdb_lsp.confirm.agreement import disagreement
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import ExportResult, Outcome
from exportdb_lsp.settings import read_values
from exportdb_lsp.worker.goals import GOALS
from exportdb_rules.finding import Mode

from ..optional import needs
from .conftest import Export, RowOf
from .goals import export_to, fails_as_without_the_goal, linked, marked

for package in GOALS["onnx"].packages:
    needs(package, f"the verdicts of ONNX models are not tested: {package} is not installed")

# They share a worker: all of these go to the same process.
pytestmark = pytest.mark.xdist_group("onnx")

# The exporter reads its functions anew for each program, which takes longer than all else.
EXPORTER = """
from torch.onnx._internal.exporter import _core, _registration

registry = _registration.ONNXRegistry.from_torchlib()
_registration.ONNXRegistry.from_torchlib = lambda *_, **__: registry
"""


@pytest.fixture(scope="module")
def confirmer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Confirmer]:
    """Its worker has read the functions of the exporter; a worker as users have it exports to ONNX in `tests/lsp`."""
    folder = tmp_path_factory.mktemp("start")
    (folder / "sitecustomize.py").write_text(EXPORTER)
    confirmer = Confirmer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        confirmer.worker(sys.executable)
    yield confirmer
    confirmer.close()


LINEAR = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x, n, scale=None, flag=None):
        y = self.linear(x) * n
        return {"y": y.softmax(-1), "rest": (y.mean(), None, y.argmax(-1), y * scale)}


# exportdb: args=(torch.randn(5, 4), 2) kwargs={"flag": None, "scale": torch.randn(3)} dynamic_shapes={"x": {0: Dim("b", max=99)}, "n": None, "scale": None, "flag": None}
class Nest(Net):
    pass
"""


@pytest.mark.parametrize("mode", Mode)
def test_a_model_that_agrees_with_eager_is_ok(export: Export, mode: Mode):
    result = export_to("onnx", export, LINEAR, name="Nest", modes=(mode,))
    assert (result.outcome, result.mode) == (Outcome.OK, mode), result.message
    assert result.message == f"exports to ONNX, and agrees with eager on {result.calls} calls"
    assert result.calls > 5  # at other sizes too
    assert [(d.input, d.axis, d.dynamic, d.upper) for d in result.dimensions] == [("x", 0, True, 99)]


def test_complex_numbers_and_recurrent_layers_come_through(export: Export):
    text = """
    # exportdb: args=(torch.randn(4, 4, dtype=torch.complex64), torch.randn(3, 5, 4))
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(4, 6)

        def forward(self, z, x):
            return z * z, self.lstm(x)
    """
    result = export_to("onnx", export, text)
    assert result.outcome is Outcome.OK, result.message
    assert result.calls > 1


BRANCH = """
# exportdb: args=(torch.randn(8, 4),) dynamic_shapes={"x": {0: %s}}
class Net(nn.Module):
    def forward(self, x):
        if x.shape[0] > 5:
            return x * 2
        return %s
"""


@pytest.mark.parametrize("dim", ['Dim("batch")', "Dim.DYNAMIC", '"batch"'])
def test_a_path_that_was_not_traced_computes_something_else(export: Export, dim: str):
    result = export_to("onnx", export, BRANCH % (dim, "x + 1"))
    assert (result.outcome, marked(result)) == (Outcome.DIVERGES, "if x.shape[0] > 5:")
    assert result.difference is not None
    assert result.difference.sizes == "x[0]=2"
    assert "the ONNX model" in result.message


def test_a_size_just_beyond_what_was_traced_is_tried(export: Export):
    text = (BRANCH % ('Dim("batch", max=4000)', "x + 1")).replace("> 5", "< 1000")
    result = export_to("onnx", export, text)
    assert (result.outcome, marked(result)) == (Outcome.DIVERGES, "if x.shape[0] < 1000:")


def test_the_one_size_that_a_branch_is_about_is_tried(export: Export):
    text = (BRANCH % ('Dim("batch")', "x + 1")).replace("> 5", "!= 20")
    result = export_to("onnx", export, text)
    assert (result.outcome, marked(result)) == (Outcome.DIVERGES, "if x.shape[0] != 20:")
    assert result.difference is not None
    assert result.difference.sizes == "x[0]=20"


def test_a_range_that_the_exporter_narrowed_by_itself_is_told(export: Export):
    result = export_to("onnx", export, BRANCH % ('Dim("batch")', "2 * x"))
    assert (result.outcome, marked(result)) == (Outcome.SPECIALIZES, "if x.shape[0] > 5:")
    assert result.suggested_fixes == {"batch": "Dim('batch', min=6)"}
    assert [(d.dynamic, d.symbol, d.lower) for d in result.dimensions] == [(True, "batch", 6)]


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("x + y", Outcome.OK),
        ("x.sum(0) + y.sum(0) if x.shape[0] == y.shape[0] else x.sum(0)", Outcome.DIVERGES),
    ],
    ids=["as eager demands", "on one path"],
)
def test_dimensions_that_the_exporter_made_one_by_itself(export: Export, body: str, outcome: Outcome):
    text = f"""
    # exportdb: args=(torch.randn(6, 2), torch.randn(6, 2)) dynamic_shapes={{"x": {{0: Dim("a")}}, "y": {{0: Dim("b")}}}}
    class Net(nn.Module):
        def forward(self, x, y):
            return {body}
    """
    result = export_to("onnx", export, text)
    assert result.outcome is outcome, result.message
    assert [(d.dynamic, d.symbol) for d in result.dimensions] == [(True, "a"), (True, "a")]


@pytest.mark.parametrize(
    ("dim", "outcome"), [('Dim("batch")', Outcome.SPECIALIZES), ('"batch"', Outcome.FAILS)], ids=["narrowed", "refused"]
)
def test_an_axis_that_the_code_makes_a_constant_is_told(export: Export, dim: str, outcome: Outcome):
    text = f"""
    # exportdb: args=(torch.randn(8),) dynamic_shapes={{"x": {{0: {dim}}}}}
    class Net(nn.Module):
        def forward(self, x):
            return x + torch.ones(8)
    """
    result = export_to("onnx", export, text)
    assert (result.outcome, marked(result)) == (outcome, "return x + torch.ones(8)")
    assert result.message == "x.shape[0] was declared dynamic but was specialized to 8 by `return x + torch.ones(8)`"
    frozen = [(False, "8")] if outcome is Outcome.SPECIALIZES else []
    assert [(d.dynamic, d.symbol) for d in result.dimensions] == frozen


@pytest.mark.parametrize(
    ("body", "operator", "said"),
    [
        ("y = torch.linalg.eigvals(y)", "aten.linalg_eig.default", "torch.onnx.export cannot lower"),
        ("y = twice(y)", "goals_test.twice.default", "torch.onnx.export cannot lower"),
        ("y = torch.atan(y.bfloat16())", "Atan", "onnxruntime cannot load"),
    ],
)
@pytest.mark.parametrize("mode", Mode)
def test_an_operator_that_is_not_supported_is_named_on_its_line(
    export: Export, body: str, operator: str, said: str, mode: Mode
):
    text = f"""
    @torch.library.custom_op("goals_test::twice", mutates_args=())
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2


    @twice.register_fake
    def _(x):
        return torch.empty_like(x)


    # exportdb: args=(torch.randn(3, 3),)
    class Net(nn.Module):
        def forward(self, x):
            y = x + 1
            {body}
            return y.abs() + 1
    """
    result = export_to("onnx", export, text, modes=(mode,))
    assert (result.outcome, marked(result)) == (Outcome.FAILS, body), result.message
    assert result.operator == operator
    assert result.message.startswith(f"{said} `{result.operator}`: ")


def test_an_export_that_fails_before_the_goal_fails_as_without_one(export: Export):
    fails_as_without_the_goal(export, "onnx")


@pytest.mark.parametrize(
    ("write", "forgotten"), [("self.calls.add_(1)", "buffer calls"), ("x.mul_(2)", "input x")], ids=["buffer", "input"]
)
def test_what_a_model_writes_is_not_kept_by_onnx(export: Export, write: str, forgotten: str):
    text = f"""
    # exportdb: args=(torch.randn(3),)
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.zeros(()))

        def forward(self, x):
            {write}
            return x * self.calls
    """
    assert export(text)[0].outcome is Outcome.OK
    result = export_to("onnx", export, text)
    assert (result.outcome, marked(result)) == (Outcome.DIVERGES, write)
    assert result.message.endswith(f"the ONNX model does not keep what the model writes to {forgotten}")


def test_the_graph_is_the_onnx_model_and_linked_with_the_lines(export: Export, row_of: RowOf):
    text = """
    # exportdb: args=(torch.randn(8, 4), torch.tensor(True)) dynamic_shapes={"x": {0: Dim("batch")}, "p": None}
    class Net(nn.Module):
        def forward(self, x, p):
            y = torch.cond(p, lambda t: t.sin(), lambda t: t.exp(), (x,))
            return y.softmax(-1)
    """
    result = export_to("onnx", export, text, show_graph=True)
    assert result.graph is not None
    lines = result.graph.text.splitlines()
    assert lines[0].startswith("# ONNX model, opset ")
    assert lines[1] == 'def main_graph(x: "FLOAT[batch, 4]", p: "BOOL[]"):'
    assert result.graph.operators == 4
    assert ("Softmax(getitem, axis=-1)", row_of(text, "y.softmax(-1)")) in linked(result)
    assert ("If(p, then_branch=then_branch, else_branch=else_branch)", row_of(text, "torch.cond")) in linked(result)
    assert [line.strip() for line in lines if line.startswith("    def ")] == [
        "def then_branch():",
        "def else_branch():",
    ]


def test_random_numbers_are_not_compared(export: Export):
    text = """
    # exportdb: args=(torch.randn(3),)
    class Net(nn.Module):
        def forward(self, x):
            return x + torch.rand(3)
    """
    result = export_to("onnx", export, text)
    assert (result.outcome, result.calls) == (Outcome.OK, 0)
    assert "not compared with eager: it draws random numbers" in result.message


OWN = """
import sys
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 5:
            return x * 2
        return x + 1


class Eigen(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.eigvals(x).abs()


class Pair(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y


def main():
    {0}


main()
"""
CALL = "torch.onnx.export(Net(), (torch.randn(8, 4),), 'net.onnx', {0}, verbose=False)"


def judged(confirmer: Confirmer, folder: Path, call: str, **options: object) -> list[ExportResult]:
    (folder / "script.py").write_text(OWN.format(call))
    request = ExportRequest(str(folder / "script.py"), root=folder, own_mode=True, draft=False, **options)  # type: ignore[arg-type]
    return list(confirmer.run(request))


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ("dynamo=True", Outcome.OK),
        ("dynamic_shapes={'x': {0: 'batch'}}", Outcome.DIVERGES),
        ("dynamic_shapes={'x': {0: torch.export.Dim('batch')}}", Outcome.DIVERGES),
        ("dynamic_axes={'rows': {0: 'batch'}}, input_names=['rows']", Outcome.DIVERGES),
    ],
)
def test_the_users_own_call_is_judged_by_its_onnx_model(
    confirmer: Confirmer, tmp_path: Path, options: str, outcome: Outcome
):
    (result,) = judged(confirmer, tmp_path, CALL.format(options))
    assert (result.goal, result.outcome, result.remark) == ("onnx", outcome, "")
    assert marked(result) == ("if x.shape[0] > 5:" if outcome is Outcome.DIVERGES else "")
    assert not (tmp_path / "net.onnx").exists()


@pytest.mark.parametrize(
    ("axes", "dimensions"),
    [
        ("{'x': {0: 'a'}, 'y': {1: 'b'}}", [("x", 0, True), ("y", 1, True)]),
        ("{'y': {1: 'b'}, 'x': {0: 'a'}}", [("x", 0, False), ("y", 1, False)]),
        ("{'y': [1]}, input_names=['x', 'y']", [("y", 1, False)]),
        ("{'x': {-1: 'a'}, 'y': {1: 'b'}}", [("x", 1, False), ("y", 1, True)]),
    ],
    ids=["as the names say", "in another order", "of another input", "counted from the end"],
)
def test_the_names_in_dynamic_axes_say_what_was_asked_for(
    confirmer: Confirmer, tmp_path: Path, axes: str, dimensions: list[tuple[str, int, bool]]
):
    call = f"torch.onnx.export(Pair(), (torch.randn(3, 4), torch.randn(5, 6)), dynamic_axes={axes})"
    (result,) = judged(confirmer, tmp_path, call)
    static = [dynamic for *_, dynamic in dimensions if not dynamic]
    assert result.outcome is (Outcome.SPECIALIZES if static else Outcome.OK), result.message
    assert [(d.input, d.axis, d.dynamic) for d in result.dimensions] == dimensions


def test_the_users_own_call_that_raises_names_the_operator(confirmer: Confirmer, tmp_path: Path):
    (result,) = judged(confirmer, tmp_path, "torch.onnx.export(Eigen(), (torch.randn(3, 3),))")
    assert (result.outcome, result.operator) == (Outcome.FAILS, "aten.linalg_eig.default")
    assert marked(result) == "return torch.linalg.eigvals(x).abs()"


@pytest.mark.parametrize(
    ("goals", "outcome", "operator"), [((), Outcome.OK, ""), (("onnx",), Outcome.FAILS, "aten.linalg_eig.default")]
)
def test_the_program_of_a_call_of_torch_export_goes_on_if_it_is_asked_to(
    confirmer: Confirmer, tmp_path: Path, goals: tuple[str, ...], outcome: Outcome, operator: str
):
    call = "torch.export.export(Eigen(), (torch.randn(3, 3),))"
    (result,) = judged(confirmer, tmp_path, call, goals=goals)
    assert (result.outcome, result.operator, result.goal) == (outcome, operator, "".join(goals))


HIDDEN = "sys.modules['onnxruntime'] = None; "


def test_without_the_tools_the_program_of_the_users_own_call_is_judged(confirmer: Confirmer, tmp_path: Path):
    call = CALL.format("dynamic_shapes={'x': {0: torch.export.Dim('batch', min=6)}}")
    (result,) = judged(confirmer, tmp_path, HIDDEN + call)
    assert (result.outcome, result.goal) == (Outcome.OK, "")
    assert result.remark == "the ONNX model itself: onnxruntime is not installed"


def test_without_the_tools_a_goal_that_was_asked_for_says_what_is_missing(confirmer: Confirmer, tmp_path: Path):
    (result,) = judged(confirmer, tmp_path, HIDDEN + CALL.format("dynamo=True"), goals=("onnx",))
    assert result.outcome is Outcome.NO_TOOLS
    assert result.message.startswith("not exported to ONNX: onnxruntime is not installed in ")
    assert result.message.endswith("(pip install onnxruntime)")


def test_the_setting_takes_goals_that_there_are():
    assert read_values({"to": ["onnx"]})[0].to == ("onnx",)
    settings, problems = read_values({"to": ["onxx"]})
    assert settings.to == ()
    assert [problem.message for problem in problems] == ["to: must be among onnx, executorch, aoti, not 'onxx'"]


def test_the_doctor_tells_the_versions(tmp_path: Path):
    (line,) = [line for line in examine(tmp_path) if line.topic == "onnx"]
    assert [word.split()[0] for word in line.text.split(", ")] == [*GOALS["onnx"].packages]
    assert not line.wrong


@pytest.mark.parametrize(("slack", "differs"), [(1.0, True), (10.0, False)])
def test_another_librarys_kernels_may_lie_further_apart(slack: float, differs: bool):
    row = {"place": "output", "kind": "torch.float32", "shape": [1], "other": ["torch.float32", [1]]}
    part = {"rows": [{**row, "eager": [[1.0]], "exported": [[1.005]]}]}
    assert (disagreement(part, "the ONNX model", slack) is not None) is differs
