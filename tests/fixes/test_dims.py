"""What torch suggests for named Dims, written down where they are declared."""

from __future__ import annotations

import proof
import pytest
from exportdb_rules.rewrite.edits import apply
from exportdb_rules.rewrite.interface.dims import as_dynamic, as_suggested

ONE = 'from torch.export import Dim\nrows = Dim("rows", max=64)\ndynamic_shapes = ({0: rows},)\n'
TWO = 'import torch\ndynamic_shapes = {"x": {0: torch.export.Dim("a")}, "y": {0: torch.export.Dim("b")}}\n'


@pytest.mark.parametrize(
    ("text", "suggested", "expected"),
    [
        (ONE, {"rows": "8"}, "rows = None\n"),
        (ONE, {"rows": "Dim('rows', max=16)"}, 'rows = Dim("rows", max=16)\n'),
        (ONE, {"_rows": "Dim('_rows', min=1, max=oo)", "rows": "4*_rows"}, 'rows = 4 * Dim("_rows")\n'),
        (ONE, {"rows": "2*_rows + 1"}, 'rows = 2 * Dim("_rows") + 1\n'),
        (TWO, {"b": "a"}, '"y": {0: torch.export.Dim("a")}'),
        (TWO, {"b": "a + 1"}, '"y": {0: torch.export.Dim("a") + 1}'),
    ],
)
def test_a_suggestion_is_written_where_the_name_is_declared(
    text: str, suggested: dict[str, str], expected: str
) -> None:
    fix = as_suggested(text, suggested)
    assert fix is not None
    assert expected in apply(text, fix.edits)


@pytest.mark.parametrize("suggested", [{}, {"elsewhere": "8"}, {"rows": "rows ** 2"}, {"rows": "("}, {"rows": "f(3)"}])
def test_other_suggestions_are_left_alone(suggested: dict[str, str]) -> None:
    assert as_suggested(ONE, suggested) is None


NET = "class Net(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
CALL = "torch.export.export(Net(), (torch.randn(4),), dynamic_shapes=({{0: {}}},))\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (NET + CALL.format('Dim("n")'), NET + CALL.format("Dim.DYNAMIC")),
        (NET + CALL.format('Dim("n", min=4)'), NET + CALL.format("Dim.DYNAMIC(min=4)")),
        (NET + 'n = Dim("n")\n' + CALL.format("n"), NET + "n = Dim.DYNAMIC\n" + CALL.format("n")),
        (
            NET
            + 'def one():\n    n = Dim("n")\n    '
            + CALL.format("n")
            + 'def two():\n    n = Dim("m")\n    return n\n',
            NET
            + "def one():\n    n = Dim.DYNAMIC\n    "
            + CALL.format("n")
            + 'def two():\n    n = Dim("m")\n    return n\n',
        ),
    ],
)
def test_the_dims_of_a_class_become_dynamic(before: str, after: str) -> None:
    fix = as_dynamic(before, "Net")
    assert fix is not None
    assert apply(before, fix.edits) == after


@pytest.mark.parametrize("dims", ['2 * Dim("n")', "Dim.AUTO", "None"])
def test_a_computed_dim_and_what_is_no_named_dim_stay(dims: str) -> None:
    assert as_dynamic(NET + CALL.format(dims), "Net") is None


ONES = """\
import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y


if __name__ == "__main__":
    n = Dim("n")
    torch.export.export(Net(), (torch.randn(1, 4), {y}), dynamic_shapes={dims})
"""


@pytest.mark.parametrize(
    ("y", "dims", "expected"),
    [
        ("torch.randn(1, 4)", "({0: n}, {0: n})", "(torch.randn(2, 4), torch.randn(2, 4))"),
        ("torch.randn(1, 4)", "({0: n}, None)", "(torch.randn(2, 4), torch.randn(1, 4))"),
        ("torch.randn(1, 4)", "({0: Dim.AUTO}, {0: Dim.AUTO})", "(torch.randn(2, 4), torch.randn(2, 4))"),
        ("torch.randn(1, 1)", "({0: Dim.DYNAMIC}, {1: Dim.DYNAMIC})", "(torch.randn(2, 4), torch.randn(1, 1))"),
    ],
)
def test_the_example_gets_two_where_sizes_change_together(y: str, dims: str, expected: str) -> None:
    found = proof.offers(ONES.format(y=y, dims=dims))
    finding, fixes = next((f, fixes) for f, fixes in found if f.code == "EDB305")
    assert finding.case.startswith("size_one")
    assert expected in apply(ONES.format(y=y, dims=dims), fixes[0].edits)
