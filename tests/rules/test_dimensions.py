"""Which dimensions are dynamic is read from what the file declares, and how many there are from its example."""

from __future__ import annotations

import pytest
from checking import Checker

from ..programs import block, fill

PROGRAM = """\
import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 4, 3, 2)
        self.size = (8, 8)

    def forward(self, x):
        {body}


model = Net()
example_args = (torch.randn(4, 3, 32, 48),)
dynamic_shapes = {{"x": {dims}}}
"""
HEIGHT = '{2: Dim("h")}'
BATCH = '{0: Dim("b")}'
SQUARE = '{2: Dim("s"), 3: Dim("s")}'

SCRIPT = """\
import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y


def main():
    model = Net().eval()
    x, y = {x}, {y}
    n = Dim("n")
    torch.export.export(model, (x, y), dynamic_shapes={dims})
"""


def _branch(condition: str) -> str:
    return f"""\
if {condition}:
    return x
return -x
"""


def _found(check_text: Checker, body: str, dims: str, text: str = PROGRAM) -> list[tuple[str, int]]:
    source = fill(text, body=body, dims=dims)
    report = check_text(source.replace("32, 48", "32, 32") if dims == SQUARE else source)
    assert not report.problems
    return [(finding.code, finding.span.start.row - 11) for finding in report.findings]


@pytest.mark.parametrize(
    ("condition", "dims"),
    [
        ("x.shape[-2] % 8 != 0", HEIGHT),
        ("x.size(-2) > 8", '{-2: Dim("h")}'),
        ("x.permute(0, 2, 3, 1).shape[1] > 8", HEIGHT),
        ("x.flatten(2).transpose(1, 2).shape[1] > 8", HEIGHT),
        # Of fewer rows the layer leaves none.
        ("self.convolution(x).relu().shape[-2] > 8", '{2: Dim("h", min=5)}'),
        ("x[:, 0].shape[1] > 8", HEIGHT),
        ("x.view(x.shape[0], 3, -1).shape[-1] > 8", HEIGHT),
        ("x.flatten(end_dim=2).shape[0] > 8", HEIGHT),
        ("torch.zeros(1, x.shape[2]).shape[-1] > 8", HEIGHT),
        ("x.mean(1).shape[1] > 8", HEIGHT),
        ("x.shape[2] != x.shape[0]", '{0: Dim("b"), 2: Dim("h")}'),
    ],
)
def test_a_branch_on_a_dynamic_dimension_is_found(check_text: Checker, condition: str, dims: str) -> None:
    # That strict keeps an axis static that is counted from the end is another rule's.
    assert [code for code, _ in _found(check_text, _branch(condition), dims) if code != "EDB902"] == ["EDB302"]


@pytest.mark.parametrize("names", ["h, w = x.shape[-2:]", "*_, h, w = x.size()"])
def test_a_branch_on_an_unpacked_size_is_found(check_text: Checker, names: str) -> None:
    assert _found(check_text, f"{names}\n{_branch('h > 8')}", HEIGHT) == [("EDB302", 2)]


@pytest.mark.parametrize(
    ("condition", "dims"),
    [
        ("x.shape[-1] > 8", HEIGHT),
        ("x[0].shape[0] > 8", BATCH),
        ("x.mean(0).shape[0] > 8", BATCH),
        ("x.transpose(0, 1).shape[0] > 8", BATCH),
        ("x.permute(1, 0, 2, 3).relu().shape[0] > 8", BATCH),
        ("x.unsqueeze(0).shape[0] > 8", BATCH),
        ("x.flatten(end_dim=2).shape[1] > 8", HEIGHT),
        ("1 < x.size(0)", BATCH),
        # Export gives no symbol to a size of 0 or 1, and none to what the Dim excludes.
        ("x.shape[0] == 1", BATCH),
        ("x.shape[0] <= 1", BATCH),
        ("x.size(0) > 1", BATCH),
        ("x.shape[0] < 4", '{0: Dim("b", min=4)}'),
    ],
)
def test_a_branch_that_every_admitted_size_takes_alike_is_left_alone(
    check_text: Checker, condition: str, dims: str
) -> None:
    assert _found(check_text, _branch(condition), dims) == []


ALIKE = {
    "a size by a name": (
        """
        b = x.shape[0]
        return x if b < 2 else -x
        """,
        BATCH,
    ),
    "the bound of the Dim": (
        """
        assert x.shape[0] <= 64
        return x
        """,
        '{0: Dim("b", max=64)}',
    ),
    # Sizes of one name are equal.
    "two sizes of one Dim": (
        """
        assert x.shape[2] == x.shape[3]
        return x
        """,
        SQUARE,
    ),
    "two sizes of one Dim by their names": (
        """
        b, c, h, w = x.shape
        if h != w:
            return x
        return -x
        """,
        SQUARE,
    ),
}


@pytest.mark.parametrize(("body", "dims"), ALIKE.values(), ids=ALIKE)
def test_a_question_that_every_admitted_size_answers_alike_is_left_alone(
    check_text: Checker, body: str, dims: str
) -> None:
    assert _found(check_text, body, dims) == []


@pytest.mark.parametrize(
    ("x", "y", "found"),
    [("{0: n}", "{0: n}", []), ("{0: n}", "{0: Dim('m')}", ["EDB302"]), ("{0: n}", "None", ["EDB302"])],
)
def test_shapes_are_compared_dimension_by_dimension(check_text: Checker, x: str, y: str, found: list[str]) -> None:
    text = SCRIPT.replace("return x + y", "return x if x.shape == y.shape else -x")
    report = check_text(text.format(x="torch.randn(3, 4)", y="torch.randn(3, 4)", dims=f"({x}, {y})"))
    assert [finding.code for finding in report.findings] == found


def test_the_example_of_an_export_call_counts_too(check_text: Checker) -> None:
    text = PROGRAM.partition("model = Net()")[0]
    text += "torch.export.export(Net().eval(), (torch.randn(4, 3, 32, 48),), dynamic_shapes=({dims},))\n"
    assert _found(check_text, _branch("x.shape[-2] > 8"), HEIGHT, text) == [("EDB302", 1)]
    assert _found(check_text, _branch("x.shape[-1] > 8"), HEIGHT, text) == []


@pytest.mark.parametrize(
    ("x", "y", "dims", "rows"),
    [
        ("torch.randn(1, 4)", "torch.randn(1, 4)", "({0: n}, {0: n})", [12, 12]),
        ("torch.randn(1, 4)", "torch.randn(4)", '{"x": {0: n}, "y": None}', [12]),
        ("torch.zeros((2, 1)).long()", "torch.randn(1)", "({1: Dim.DYNAMIC(max=8)}, None)", [12]),
        ("torch.randint(0, 5, (1, 4))", "torch.full((1, 4), 0.5)", "({0: n}, {0: n})", [12, 12]),
        ("torch.randn(2, 1)", "torch.randn(2, 1)", "({0: n}, {0: n})", []),
        ("torch.randn(*sizes)", "torch.randn(1, 2)", "({0: n}, None)", []),
    ],
)
def test_a_size_of_one_in_the_example_of_a_dynamic_dimension(
    check_text: Checker, x: str, y: str, dims: str, rows: list[int]
) -> None:
    text = SCRIPT.format(x=x, y=y, dims=dims)
    found = check_text(text).findings
    assert [(f.code, f.span.start.row) for f in found] == [("EDB305", row) for row in rows]
    lines = text.splitlines()
    assert {lines[f.span.start.row - 1][f.span.start.column - 1 : f.span.end.column - 1] for f in found} <= {"1"}


@pytest.mark.parametrize("x", ["torch.randn(2, 1).T", "torch.arange(4)[None]", "torch.arange(4).unsqueeze(0)"])
def test_a_size_of_one_that_is_computed(check_text: Checker, x: str) -> None:
    text = SCRIPT.format(x=x, y="torch.randn(4)", dims="({0: n}, None)")
    (found,) = [finding for finding in check_text(text).findings if "is 1 in the example" in finding.message]
    assert text.splitlines()[found.span.start.row - 1][found.span.start.column - 1 : found.span.end.column - 1] == x


def test_a_size_of_one_in_a_comment(check_text: Checker) -> None:
    text = block("""
        import torch
        from torch.export import Dim


        # é: exportdb: nothing yet
        # exportdb: args=(torch.randn(1, 4),) dynamic_shapes=({0: Dim("n")},)
        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor):
                return x + 1
    """)
    (found,) = check_text(text).findings
    line = text.splitlines()[found.span.start.row - 1]
    assert (found.code, line[found.span.start.column - 1 :][:6]) == ("EDB305", "1, 4),")


def test_a_size_of_one_in_a_comment_over_several_rows_has_no_place(check_text: Checker) -> None:
    text = block("""
        import torch
        from torch.export import Dim


        # exportdb: args=(
        #     torch.randn(1, 4),) dynamic_shapes=({0: Dim("n")},)
        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor):
                return x + 1
    """)
    assert check_text(text).findings == ()


def test_no_size_is_dynamic_where_none_is_declared(check_text: Checker) -> None:
    text = block("""
        import torch


        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor):
                y = x.view(2, -1, 4)
                return y if y.shape[1] > 8 else -y
    """)
    assert check_text(text).findings == ()
