"""Dynamic sizes: what becomes of those that were asked for, and which line it was."""

from __future__ import annotations

import pytest
from exportdb_lsp.confirm.result import Outcome
from exportdb_rules.finding import Mode

from .conftest import Export, RowOf

BOTH = (Mode.NON_STRICT, Mode.STRICT)

NARROW = """
    # exportdb: args=(torch.randn(4, 3),) dynamic_shapes={"x": {0: Dim("b")}}
    class Net(nn.Module):
        def forward(self, x):
            if x.shape[0] > 3:
                return x + 1
            return x
"""


@pytest.mark.parametrize("mode", BOTH)
def test_a_constraint_violation_names_the_line_that_made_the_guard(export: Export, row_of: RowOf, mode: Mode):
    (result,) = export(NARROW, modes=(mode,))
    assert result.outcome is Outcome.FAILS
    assert result.frame is not None
    assert result.frame.row == row_of(NARROW, "if x.shape")
    assert result.suggested_fixes == {"b": "Dim('b', min=4)"}


@pytest.mark.parametrize("mode", BOTH)
def test_a_size_that_auto_gives_up_quietly_is_found_out(export: Export, row_of: RowOf, mode: Mode):
    text = """
        # exportdb: args=(torch.randn(4, 3),) dynamic_shapes={"x": {0: Dim.AUTO}}
        class Net(nn.Module):
            def forward(self, x):
                total = x.sum() * 0
                for row in range(int(x.shape[0])):
                    total = total + x[row].sum()
                return total
    """
    (result,) = export(text, modes=(mode,))
    assert result.outcome is Outcome.SPECIALIZES, result
    assert result.frame is not None
    assert result.frame.row == row_of(text, "for row in range")
    (dimension,) = result.dimensions
    assert (dimension.input, dimension.axis, dimension.dynamic, dimension.symbol) == ("x", 0, False, "4")


def test_a_size_that_nobody_can_change_is_frozen_all_the_same(export: Export):
    (result,) = export(
        """
        # exportdb: args=(torch.randn(4, 3),) dynamic_shapes={"x": {0: Dim.AUTO, 1: Dim.AUTO}}
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(3, 2)

            def forward(self, x):
                return self.linear(x)
        """
    )
    assert result.outcome is Outcome.SPECIALIZES, result
    assert result.message == "x.shape[1] was declared dynamic but was specialized to 3 by `return self.linear(x)`"
    assert [(d.axis, d.dynamic) for d in result.dimensions] == [(0, True), (1, False)]


def test_a_size_of_one_in_the_example_is_told_as_the_reason(export: Export):
    (result,) = export(
        """
        # exportdb: args=(torch.randn(1, 3),) dynamic_shapes={"x": {0: Dim.AUTO}}
        class Net(nn.Module):
            def forward(self, x):
                return x + 1
        """
    )
    assert (result.outcome, result.message) == (
        Outcome.SPECIALIZES,
        "exports for some sizes only: eager accepts x[0]=2, the exported program rejects it, "
        "because export specializes a size of 1 in the example",
    )


def test_a_verdict_stands_though_no_time_is_left_to_try_its_dynamic_shapes(export: Export):
    text = """
        import time

        # exportdb: args=(torch.randn(4, 3),)
        class Net(nn.Module):
            def forward(self, x):
                if torch.compiler.is_compiling():
                    time.sleep({seconds})
                return x.relu()
    """
    (hurried,) = export(text.format(seconds=5), dynamic="auto", timeout=14.0)
    assert (hurried.outcome, hurried.dynamic_shapes) == (Outcome.OK, '{"x": {0: Dim.AUTO, 1: Dim.AUTO}}'), hurried
    (result,) = export(text.format(seconds=0), dynamic="auto")
    assert (result.outcome, result.dynamic_shapes) == (Outcome.OK, '{"x": {0: Dim("x0"), 1: Dim("x1")}}'), result


def test_dynamic_none_leaves_every_size_as_it_is(export: Export):
    (result,) = export(NARROW, dynamic="none")
    assert result.outcome is Outcome.OK
    assert result.dimensions == ()


def test_a_computed_dim_is_asked_for_the_sizes_that_its_root_allows(export: Export):
    (result,) = export(
        """
        # exportdb: args=(torch.randn(40, 3),) dynamic_shapes={"x": {0: 2 * Dim("_n", min=9)}}
        class Net(nn.Module):
            def forward(self, x):
                return x[:17] + 1
    """
    )
    assert result.outcome is Outcome.OK, result
    assert result.calls > 5


PAIR = """
    # exportdb: args=(torch.randn(6, 2), torch.randn(6, 2)) dynamic_shapes={"x": {0: %s}, "y": {0: %s}}
    class Net(nn.Module):
        def forward(self, x, y):
            return %s
"""


@pytest.mark.parametrize("mode", BOTH)
def test_dimensions_that_only_the_trace_makes_equal_are_tried_apart(export: Export, mode: Mode):
    branch = "x.sum(0) + y.sum(0) if x.shape[0] == y.shape[0] else x.sum(0)"
    (result,) = export(PAIR % ("Dim.DYNAMIC", "Dim.DYNAMIC", branch), modes=(mode,))
    assert result.outcome is Outcome.SPECIALIZES, result
    assert result.message == (
        "exports for some sizes only: eager accepts x[0]=7, the exported program rejects it; "
        f"specialized by `return {branch}`"
    )
    # Eager takes no other pairs of sizes here, and they are one dimension there.
    (equal,) = export(PAIR % ("Dim.DYNAMIC", "Dim.DYNAMIC", "x + y"), modes=(mode,))
    assert equal.outcome is Outcome.OK, equal
    (declared,) = export(PAIR % ('Dim("n")', 'Dim("n")', branch), modes=(mode,))
    assert declared.outcome is Outcome.OK, declared


@pytest.mark.parametrize("dim", ["Dim.DYNAMIC", 'Dim("rows")'])
def test_the_line_that_leaves_one_size_comes_before_one_that_leaves_several(export: Export, row_of: RowOf, dim: str):
    text = f"""
        # exportdb: args=(torch.randn(8, 4),) dynamic_shapes={{"x": {{0: {dim}}}}}
        class Net(nn.Module):
            def forward(self, x):
                a, b = x.split(4)
                return a + b
    """
    (result,) = export(text)
    assert result.outcome is Outcome.FAILS
    assert result.frame is not None
    assert result.frame.row == row_of(text, "return a + b")
    assert [failure.message for failure in result.failures] == ["a dimension is narrowed here: Eq(((s77 + 3)//4), 2)"]
