"""Exports that are for ExecuTorch: its runtime runs the program that it lowers beside eager, and that is the verdict.

Each of these imports ExecuTorch in a process of its own, which takes seconds.
"""

from __future__ import annotations

import pytest
from exportdb_lsp.confirm.result import Delegation, ExportResult, Outcome
from exportdb_lsp.worker.goals import GOALS
from exportdb_rules.finding import Mode

from ..optional import needs
from .conftest import Export, RowOf
from .goals import export_to, fails_as_without_the_goal, linked, marked

for package in GOALS["executorch"].packages:
    needs(package, f"the verdicts of ExecuTorch programs are not tested: {package} is not installed")


def lowered(export: Export, text: str, mode: Mode = Mode.NON_STRICT, **options: object) -> ExportResult:
    return export_to("executorch", export, text, modes=(mode,), timeout=300.0, **options)


def test_a_program_that_agrees_with_eager_is_ok(export: Export):
    text = """
    # exportdb: args=(torch.randn(5, 4), 2) kwargs={"flag": None, "scale": torch.randn(3)} dynamic_shapes={"x": {0: Dim("b", max=99)}, "n": None, "scale": None, "flag": None}
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(4, 3)

        def forward(self, x, n, scale=None, flag=None):
            y = self.linear(x) * scale
            return {"y": y.softmax(-1), "rest": (n, None, torch.cumsum(y, 0))}
    """
    result = lowered(export, text, Mode.STRICT)
    assert result.outcome is Outcome.OK, result.message
    assert result.message == f"exports to ExecuTorch, and agrees with eager on {result.calls} calls"
    assert result.calls > 5  # at other sizes too
    first, second = result.delegation
    assert isinstance(first, Delegation)
    assert (first.delegated, first.portable) == (("aten.linear.default", "aten.mul.Tensor"), ())
    assert second.row == first.row + 1
    assert second.delegated == ("aten._softmax.default",)
    assert "aten.cumsum.out" in second.portable


@pytest.mark.parametrize(
    ("line", "operator", "said"),
    [
        ("y = torch.cumprod(y, 0)", "aten.cumprod.default", "ExecuTorch cannot lower"),
        ("y = goals.twice(y)", "goals_test.twice.default", "ExecuTorch cannot lower"),
        ("y = nn.functional.max_pool2d(y, 2)", "aten.max_pool2d.default", "ExecuTorch cannot lower"),
        ("y = torch.sort(y).values", "aten.sort.values", "the ExecuTorch runtime cannot load"),
    ],
    ids=["not in Core ATen", "no out variant", "delegate", "no kernel"],
)
def test_an_operator_that_is_not_supported_is_named_on_its_line(export: Export, line: str, operator: str, said: str):
    text = f"""
    @torch.library.custom_op("goals_test::twice", mutates_args=())
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2


    @twice.register_fake
    def _(x):
        return torch.empty_like(x)


    class goals:
        twice = staticmethod(twice)


    # exportdb: args=(torch.randn(1, 4, 4),)
    class Net(nn.Module):
        def forward(self, x):
            y = x + 1
            {line}
            return y * 1
    """
    result = lowered(export, text)
    assert (result.outcome, marked(result)) == (Outcome.FAILS, line), result.message
    assert result.operator == operator
    assert result.message.startswith(f"{said} `{operator}`: ")


def test_the_graph_is_the_lowered_program_and_linked_with_the_lines(export: Export, row_of: RowOf):
    text = """
    # exportdb: args=(torch.randn(5, 4),)
    class Net(nn.Module):
        def forward(self, x):
            y = x.sigmoid()
            return torch.cumsum(y, 0)
    """
    result = lowered(export, text, show_graph=True)
    assert result.graph is not None
    assert result.graph.text.splitlines() == [
        "# ExecuTorch program",
        'def forward(x: "float32[5, 4]"):',
        "    executorch_call_delegate = XnnpackBackend(x=x)",
        '        aten_sigmoid_default: "float32[5, 4]" = aten.sigmoid.default(x)',
        '    getitem: "float32[5, 4]" = getitem(executorch_call_delegate, 0)',
        '    aten_cumsum_default: "float32[5, 4]" = aten.cumsum.out(getitem, 0)',
        "    return (aten_cumsum_default)",
    ]
    first, *_, last = linked(result)
    assert first == ("aten.sigmoid.default(x)", row_of(text, "x.sigmoid()"))
    assert last == ("aten.cumsum.out(getitem, 0)", row_of(text, "torch.cumsum"))


def test_a_kernel_that_refuses_the_order_of_dimensions_is_named_on_the_line_that_made_it(export: Export):
    text = """
    # exportdb: args=(torch.randn(4, 4),)
    class Net(nn.Module):
        def forward(self, x):
            y = (x + 1) * 2 * 3
            y = torch.nonzero(y > 0)
            y = y + 1
            return y * 1
    """
    result = lowered(export, text)
    assert (result.outcome, marked(result)) == (Outcome.FAILS, "y = torch.nonzero(y > 0)"), result.message
    assert (result.operator, result.message.split(" `")[0]) == ("aten.add.out", "the ExecuTorch runtime cannot run")


def test_sizes_beyond_the_memory_that_was_planned_are_refused(export: Export):
    text = """
    # exportdb: args=(torch.randn(3, 4),) dynamic_shapes={"x": {0: Dim("b")}}
    class Net(nn.Module):
        def forward(self, x):
            return x * 2
    """
    result = lowered(export, text)
    assert result.outcome is Outcome.SPECIALIZES
    assert "eager accepts x[0]=4, the ExecuTorch program rejects it: " in result.message
    assert "maximum capacity of 12 elements" in result.message


def test_other_numbers_weigh_more_than_a_size_that_is_refused(export: Export):
    text = """
    # exportdb: args=(torch.randn(8, 4),) dynamic_shapes={"x": {0: Dim.DYNAMIC}}
    class Net(nn.Module):
        def forward(self, x):
            if x.shape[0] > 5:
                return x * 2
            return x + 1
    """
    result = lowered(export, text)
    assert (result.outcome, marked(result)) == (Outcome.DIVERGES, "if x.shape[0] > 5:"), result.message
    assert "at other sizes (x[0]=2)" in result.message


@pytest.mark.parametrize(
    ("write", "says"),
    [
        ("self.calls.add_(1)", "does not begin with the values of buffer calls"),
        ("x.mul_(2)", "does not keep what the model writes to input x"),
    ],
    ids=["buffer", "input"],
)
def test_state_that_is_not_kept_is_told(export: Export, write: str, says: str):
    text = f"""
    # exportdb: args=(torch.randn(3),)
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.ones(1))

        def forward(self, x):
            {write}
            return x * self.calls
    """
    result = lowered(export, text)
    assert (result.outcome, marked(result)) == (Outcome.DIVERGES, write)
    assert result.message.endswith(f"; the ExecuTorch program {says}")


def test_a_buffer_that_begins_with_zeros_is_kept(export: Export):
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
    assert lowered(export, text).outcome is Outcome.OK


def test_an_export_that_fails_before_the_goal_fails_as_without_one(export: Export):
    fails_as_without_the_goal(export, "executorch")


def test_an_installation_that_cannot_be_imported_is_no_verdict(export: Export):
    text = """
    # exportdb: args=(torch.randn(3),)
    class Net(nn.Module):
        def forward(self, x):
            return x


    import sys
    sys.modules["executorch.runtime"] = None
    """
    result = lowered(export, text)
    assert result.outcome is Outcome.NO_TOOLS
    assert result.message.startswith("not exported to ExecuTorch: executorch cannot be used in ")
    assert "executorch.runtime" in result.message
