"""Each way in which an export can end, and the line that is named for it."""

from __future__ import annotations

import sys

import pytest
from exportdb_lsp.confirm.result import InputOrigin, Outcome
from exportdb_rules.finding import Mode

from .conftest import Export, RowOf

BOTH = (Mode.NON_STRICT, Mode.STRICT)

BRANCH = """
    # exportdb: args=(torch.randn(2, 3),)
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(3, 3)

        def forward(self, x):
            y = self.linear(x)
            if y.sum() > 0:
                return y + 1
            return y
"""


def test_a_failure_names_the_line_in_both_modes(export: Export, row_of: RowOf):
    row = row_of(BRANCH, "if y.sum()")
    results = export(BRANCH, modes=BOTH)
    assert [r.outcome for r in results] == [Outcome.FAILS, Outcome.FAILS]
    for result in results:
        assert result.frame is not None
        assert (result.frame.row, result.frame.code) == (row, "if y.sum() > 0:")
        assert result.message == "Data-dependent branch: the value of `y.sum() > 0` is unknown while tracing"
    assert results[0].exception == "GuardOnDataDependentSymNode"
    assert "Could not guard on data-dependent expression" in results[0].detail
    assert results[1].graph_break_id == "GB0170"
    assert any("torch.cond" in hint for hint in results[1].hints)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python tells the place within a line since 3.11")
def test_a_failure_names_the_part_of_the_line_that_raised(export: Export):
    text = """
        # exportdb: args=(torch.randn(2, 3),)
        class Net(nn.Module):
            def forward(self, x, cap=0.0):
                return torch.tanh(x / cap) if cap else x * float(x.std())
        """
    (result,) = export(text)
    assert result.message.startswith("`float(x.std())` needs a tensor value, which is unknown while tracing")
    (result,) = export(text.replace("if cap else", "if x.sum() > 0 else"))
    assert result.message == "Data-dependent branch: the value of `x.sum() > 0` is unknown while tracing"


def test_a_model_that_exports_is_compared_on_several_calls(export: Export):
    (result,) = export(
        """
        # exportdb: args=(torch.randn(2, 3),)
        class Net(nn.Module):
            def forward(self, x):
                return x.relu()
        """
    )
    assert result.outcome is Outcome.OK
    assert result.calls >= 3
    assert result.torch.startswith("2.")
    assert result.exception is None


def test_a_slow_model_is_compared_on_the_calls_that_its_time_allows(export: Export):
    text = """
        import time

        class Net(nn.Module):
            def forward(self, x):
                time.sleep({seconds})
                return x.relu()

        model = Net()
        example_args = (torch.ones(2, 3),)
        extra_inputs = [(torch.full((2, 3), float(number)),) for number in range(50)]
    """
    (slow,) = export(text.format(seconds=1.0), timeout=30.0)
    assert (slow.outcome, 4 <= slow.calls < 55) == (Outcome.OK, True), slow
    (quick,) = export(text.format(seconds=0.0), timeout=30.0)
    assert (quick.outcome, quick.calls) == (Outcome.OK, 55), quick


@pytest.mark.parametrize("mode", BOTH)
@pytest.mark.parametrize(
    ("init", "body"),
    [
        ("self.n = 2", "self.n += 1; return x * self.n"),
        ("self.last = None", "y = x if self.last is None else x + self.last; self.last = x; return y"),
        ("self.seen = []", "self.seen.append(1); return x * len(self.seen)"),
    ],
)
def test_state_that_the_program_loses_diverges(export: Export, mode: Mode, init: str, body: str):
    (result,) = export(
        f"""
        # exportdb: args=(torch.ones(2, 3),)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                {init}

            def forward(self, x):
                {body}
        """,
        modes=(mode,),
    )
    assert result.outcome is Outcome.DIVERGES
    assert result.difference is not None
    assert result.difference.call == 2
    assert result.difference.place == "output"
    assert result.frame is not None
    assert result.blamed
    assert result.frame.code == body


def test_a_buffer_that_is_kept_agrees(export: Export):
    (result,) = export(
        """
        # exportdb: args=(torch.ones(2, 3),)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("n", torch.zeros(()))

            def forward(self, x):
                self.n += 1
                return x * self.n
        """
    )
    assert result.outcome is Outcome.OK, result


@pytest.mark.parametrize(
    ("kept", "body", "outcome"),
    [
        ("Silent()", "return x + 1", Outcome.OK),
        ("torch.eye(3).to_sparse()", "return x + 1", Outcome.OK),
        ("torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)", "return x + 1", Outcome.OK),
        ("Silent()", "self.n = getattr(self, 'n', 0) + 1; return x * self.n", Outcome.DIVERGES),
    ],
)
def test_an_attribute_that_cannot_be_looked_at_costs_no_verdict(export: Export, kept: str, body: str, outcome: Outcome):
    (result,) = export(
        f"""
        class Silent:
            def __repr__(self):
                raise RuntimeError("no")

        # exportdb: args=(torch.ones(2, 3),)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.kept = {kept}

            def forward(self, x):
                {body}
        """
    )
    assert result.outcome is outcome, result


def test_a_choice_of_pythons_random_diverges_in_non_strict(export: Export):
    (result,) = export(
        """
        import random

        # exportdb: args=(torch.ones(2, 3),)
        class Net(nn.Module):
            def forward(self, x):
                return x * random.random()
        """
    )
    assert result.outcome is Outcome.DIVERGES


@pytest.mark.parametrize("mode", BOTH)
@pytest.mark.parametrize(
    "body",
    [
        "return torch.nn.functional.dropout(x, 0.5, training=True) + torch.rand_like(x)",
        # The first draw is used by nothing, so export drops it, and a running generator would give other numbers after.
        "unused = torch.rand(3); return x + torch.rand(2, 3)",
        "return torch.bernoulli(torch.full_like(x, 0.5)) * torch.randint(0, 9, (2, 3))",
        # What a branch draws follows what was drawn before it.
        "return torch.cond(torch.rand(1) < 0.5, lambda t: t * torch.rand(2, 3), lambda t: t - torch.rand(2, 3), (x,))",
    ],
)
def test_random_operators_are_no_divergence(export: Export, mode: Mode, body: str):
    (result,) = export(
        f"""
        # exportdb: args=(torch.ones(2, 3),)
        class Net(nn.Module):
            def forward(self, x):
                {body}
        """,
        modes=(mode,),
    )
    assert result.outcome is Outcome.OK, result


def test_an_input_that_only_eager_writes_is_seen(export: Export):
    (result,) = export(
        """
        # exportdb: args=(torch.ones(2, 3),)
        class Net(nn.Module):
            def forward(self, x):
                if not torch.compiler.is_compiling():
                    x.add_(1)
                return x.sum() * 0
        """
    )
    assert result.outcome is Outcome.DIVERGES
    assert result.difference is not None
    told = result.difference.to_json()
    assert (told["place"], told["eager"], told["exported"]) == ("input x", "2", "1")
    assert told["detail"] == "6 of 6 values differ, by up to 1; at [0, 0] eager returns 2, the exported program 1"


@pytest.mark.parametrize(
    ("text", "stage", "exception"),
    [
        ("import missing_package\n", "cannot be imported", "ModuleNotFoundError"),
        ("raise ValueError('no')\n", "cannot be imported", "ValueError"),
    ],
)
def test_a_module_that_does_not_import(export: Export, text: str, stage: str, exception: str):
    (result,) = export(
        text
        + """
# exportdb: args=(torch.randn(2),)
class Net(nn.Module):
    def forward(self, x):
        return x
"""
    )
    assert result.outcome is Outcome.EAGER_ERROR
    assert stage in result.message
    assert result.exception == exception
    assert result.frame is not None
    assert result.frame.row == 5


def test_a_syntax_error_is_told_with_its_row(export: Export):
    results = export("class Net(:\n    pass\n", modes=BOTH, head=False)
    assert [r.outcome for r in results] == [Outcome.EAGER_ERROR] * 2
    assert results[0].frame is not None
    assert results[0].frame.row == 1


def test_inputs_that_do_not_fit_the_model(export: Export):
    (result,) = export(BRANCH.replace("randn(2, 3)", "randn(2, 5)"))
    assert result.outcome is Outcome.EAGER_ERROR
    assert result.frame is not None
    assert result.frame.code == "y = self.linear(x)"
    assert "shapes cannot be multiplied" in result.message


def test_a_constructor_that_wants_arguments(export: Export):
    (result,) = export(
        """
        # exportdb: args=(torch.randn(2, 3),)
        class Net(nn.Module):
            def __init__(self, width):
                super().__init__()

            def forward(self, x):
                return x
        """
    )
    assert result.outcome is Outcome.NO_INPUTS
    assert "width" in result.message
    assert "constructor=Net(" in result.message


def test_inputs_that_cannot_be_evaluated(export: Export, row_of: RowOf):
    (result,) = export(BRANCH.replace("torch.randn(2, 3)", "torch.rondn(2, 3)"))
    assert result.outcome is Outcome.NO_INPUTS
    assert "rondn" in result.message
    assert result.frame is not None
    assert result.frame.row == row_of(BRANCH, "# exportdb")


def test_a_failure_of_torch_cond_has_its_line_and_its_page(export: Export, row_of: RowOf):
    text = """
        # exportdb: args=(torch.randn(2, 3),)
        class Net(nn.Module):
            def forward(self, x):
                y = x + 1
                return torch.cond(y.sum() > 0, lambda t: t, lambda t: t + 1, (y,))
    """
    for result in export(text, modes=BOTH):
        assert result.outcome is Outcome.FAILS
        assert result.frame is not None
        assert result.frame.row == row_of(text, "torch.cond")
        assert result.graph_break_id == "GB0040"


def test_a_dynamo_case_is_named(export: Export, row_of: RowOf):
    text = """
        # exportdb: args=(torch.ones(4, 3, dtype=torch.int64),)
        class Net(nn.Module):
            def forward(self, x):
                n = x.max().item()
                if n > 3:
                    return x * n
                return x
    """
    non_strict, strict = export(text, modes=BOTH)
    assert strict.case == "constrain_as_size_example"
    assert non_strict.frame is not None
    assert non_strict.frame.row == row_of(text, "if n > 3")
    assert non_strict.origin[-1].row == row_of(text, "n = x.max")


def test_the_whole_stack_of_the_user_is_told_outermost_first(export: Export, row_of: RowOf):
    text = """
        def choose(y):
            return y if y.sum() > 0 else -y

        class Inner(nn.Module):
            def forward(self, x):
                return choose(x + 1)

        # exportdb: args=(torch.randn(2, 3),)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                return self.inner(x)
    """
    rows = [row_of(text, code) for code in ("return self.inner(x)", "return choose(x + 1)", "return y if")]
    for result in export(text, modes=BOTH):
        assert [frame.row for frame in result.frames] == rows
        assert result.message == "Data-dependent branch: the value of `y.sum() > 0` is unknown while tracing"


def test_draft_export_finds_the_failures_behind_the_first(export: Export, row_of: RowOf):
    text = """
        # exportdb: args=(torch.randn(4, 3),)
        class Net(nn.Module):
            def forward(self, x):
                if x.sum() > 0:
                    x = x + 1
                if x.mean() > 0:
                    x = x * 2
                return x
    """
    (result,) = export(text, draft=True)
    assert [f.frame.row for f in result.failures if f.frame] == [row_of(text, "if x.mean")]
    assert result.failures[0].message == "Data-dependent branch: the value of `x.mean() > 0` is unknown while tracing"


@pytest.mark.parametrize(
    ("end", "note"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "draft_export failed: killed by SIGSEGV"),
        ("os._exit(3)", "draft_export failed: exited with code 3"),
        ("time.sleep(600)", "draft_export failed: out of time"),
        ("raise KeyboardInterrupt('enough')", "draft_export raised KeyboardInterrupt: enough"),
    ],
)
def test_a_draft_export_that_dies_costs_no_verdict(export: Export, row_of: RowOf, end: str, note: str):
    text = f"""
        import os
        import signal
        import time

        def drafting(*args, **kwargs):
            {end}

        torch.export.draft_export = drafting

        # exportdb: args=(torch.randn(4, 3),)
        class Net(nn.Module):
            def forward(self, x):
                if x.sum() > 0:
                    x = x + 1
                if x.mean() > 0:
                    x = x * 2
                return x
    """
    (result,) = export(text, draft=True, timeout=12.0)
    assert (result.outcome, result.draft) == (Outcome.FAILS, note), result
    assert result.frame is not None
    assert result.frame.row == row_of(text, "if x.sum")
    # The findings of the same model go on where it could not.
    assert [(f.frame.row, f.reached) for f in result.failures if f.frame] == [(row_of(text, "if x.mean"), False)]


def test_findings_that_were_not_reached_are_those_of_the_same_model(export: Export, row_of: RowOf):
    text = """
        class Part(nn.Module):
            def forward(self, x):
                return x if x.min() > 0 else -x

        # exportdb: args=(torch.randn(4, 3),)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.part = Part()

            def forward(self, x):
                if x.sum() > 0:
                    x = x + 1
                return self.part(x)

        # exportdb: args=(torch.randn(4, 3),)
        class Other(nn.Module):
            def forward(self, x):
                return x if x.max() > 0 else -x
    """
    (result,) = export(text, name="Net", modes=(Mode.STRICT,))
    assert [(f.frame.row, f.reached) for f in result.failures if f.frame] == [(row_of(text, "x.min()"), False)]


def test_the_graph_and_the_lines_it_came_from(export: Export, row_of: RowOf):
    text = """
        # exportdb: args=(torch.randn(4, 3),) dynamic_shapes={"x": {0: Dim("b")}}
        class Net(nn.Module):
            def forward(self, x):
                y = x @ x.T
                return y.relu()
    """
    (result,) = export(text, show_graph=True)
    assert result.graph is not None
    lines = result.graph.text.splitlines()
    row = row_of(text, "y = x @ x.T")
    shown = [lines[number - 1] for number, _, source in result.graph.lines if source == row]
    assert any("matmul" in line for line in shown)
    (product,) = [traced for traced in result.traced if traced.row == row]
    assert product.name == "y"
    assert product.dtype == "float32"
    assert product.shape.startswith("[s")
    assert any("matmul" in operator for operator in product.operators)


def test_what_the_model_prints_is_kept_apart(export: Export):
    (result,) = export(
        """
        print("hello")

        # exportdb: args=(torch.randn(2),)
        class Net(nn.Module):
            def forward(self, x):
                return x
        """
    )
    assert result.outcome is Outcome.OK
    assert result.output.startswith("hello\n")


def test_training_mode_is_compared_when_asked(export: Export):
    text = """
        # exportdb: args=(torch.randn(2, 3),)
        class Net(nn.Module):
            def forward(self, x):
                return x + 1 if self.training else (x if x.sum() > 0 else -x)
    """
    assert export(text)[0].outcome is Outcome.FAILS
    assert export(text, train=True)[0].outcome is Outcome.OK


def test_a_function_is_exported_too(export: Export):
    text = """
        # exportdb: args=(torch.randn(4, 3), 2) dynamic_shapes={"x": {0: Dim("b")}, "k": None}
        def scaled(x, k):
            return x * k
    """
    for result in export(text, modes=BOTH):
        assert result.outcome is Outcome.OK, result
        assert (result.target, result.dimensions[0].input) == ("scaled", "x")


def test_the_json_has_the_keys_of_the_contract(export: Export, row_of: RowOf):
    (result,) = export(BRANCH)
    data = result.to_json()
    assert {
        "target": "Net",
        "mode": "non-strict",
        "outcome": "fails",
        "row": row_of(BRANCH, "if y.sum()"),
        "case": None,
        "graph_break_id": None,
        "suggested_fixes": {},
        "range_constraints": {},
        "failures": [],
    }.items() <= data.items()
    assert data["inputs"] == {"source": InputOrigin.COMMENT.value, "args": "(torch.randn(2, 3),)"}
    assert {"filename", "row", "code"} <= data["frames"][0].keys()
    assert isinstance(data["seconds"], float)


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2"])
@pytest.mark.parametrize(("factor", "outcome"), [("1", Outcome.OK), ("self.n", Outcome.DIVERGES)])
def test_tensors_of_eight_bits_are_compared(export: Export, dtype: str, factor: str, outcome: Outcome):
    (result,) = export(
        f"""
        # exportdb: args=(torch.randn(2, 3),)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.n = 0

            def forward(self, x):
                self.n += 1
                return (x * {factor}).to(torch.{dtype})
        """
    )
    assert result.outcome is outcome, result
