"""What torch suggests for named Dims, written down where they are declared."""

from __future__ import annotations

import proof
import pytest
from exportdb_rules.rewrite.edits import apply
from exportdb_rules.rewrite.interface.dims import as_dynamic, as_suggested

ONE = """\
from torch.export import Dim
rows = Dim("rows", max=64)
dynamic_shapes = ({0: rows},)
"""
TWO = """\
import torch
dynamic_shapes = {"x": {0: torch.export.Dim("a")}, "y": {0: torch.export.Dim("b")}}
"""


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


EXPORTED = """\
class Net(torch.nn.Module):
    def forward(self, x):
        return x
{above}
torch.export.export(Net(), (torch.randn(4),), dynamic_shapes=({{0: {dim}}},))
"""
TWICE = """\
class Net(torch.nn.Module):
    def forward(self, x):
        return x
def one():
    n = {dim}
    torch.export.export(Net(), (torch.randn(4),), dynamic_shapes=({{0: n}},))
def two():
    n = Dim("m")
    return n
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"dim": 'Dim("n")'}, {"dim": "Dim.DYNAMIC"}),
        ({"dim": 'Dim("n", min=4)'}, {"dim": "Dim.DYNAMIC(min=4)"}),
        ({"above": 'n = Dim("n")', "dim": "n"}, {"above": "n = Dim.DYNAMIC", "dim": "n"}),
    ],
    ids=["where it is used", "with a bound", "by a name"],
)
def test_the_dims_of_a_class_become_dynamic(before: dict[str, str], after: dict[str, str]) -> None:
    old, new = (EXPORTED.format(**{"above": "", **parts}) for parts in (before, after))
    fix = as_dynamic(old, "Net")
    assert fix is not None
    assert apply(old, fix.edits) == new


def test_a_dim_of_the_same_name_elsewhere_stays() -> None:
    fix = as_dynamic(TWICE.format(dim='Dim("n")'), "Net")
    assert fix is not None
    assert apply(TWICE.format(dim='Dim("n")'), fix.edits) == TWICE.format(dim="Dim.DYNAMIC")


@pytest.mark.parametrize("dims", ['2 * Dim("n")', "Dim.AUTO", "None"])
def test_a_computed_dim_and_what_is_no_named_dim_stay(dims: str) -> None:
    assert as_dynamic(EXPORTED.format(above="", dim=dims), "Net") is None


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


@pytest.mark.parametrize(
    ("body", "args", "dims", "expected"),
    [
        ("x[1:] - x[:-1] + y", "torch.randn(2, 4), torch.randn(4)", "({0: n}, None)", "(torch.randn(3, 4), torch.randn(4))"),
        ("x[1:] + y[1:]", "torch.randn(2, 4), torch.randn(2, 4)", "({0: n}, {0: n})", "(torch.randn(3, 4), torch.randn(3, 4))"),
        ("x[2:] + y", "torch.randn(3, 3), torch.randn(3)", "({0: Dim.DYNAMIC}, None)", "(torch.randn(4, 3), torch.randn(3))"),
        ("x.sin() + y", "torch.randn(0, 4), torch.randn(4)", "({0: n}, None)", "(torch.randn(2, 4), torch.randn(4))"),
    ],
)  # fmt: skip
def test_the_example_grows_by_one_where_a_size_of_one_is_left(body: str, args: str, dims: str, expected: str) -> None:
    text = ONES.replace("return x + y", f"return {body}").replace("(torch.randn(1, 4), {y})", f"({args})")
    text = text.format(dims=dims)
    finding, fixes = next((f, fixes) for f, fixes in proof.offers(text) if f.code == "EDB305")
    assert finding.case.startswith("size_one")
    assert expected in apply(text, fixes[0].edits)
