"""Which dimensions are dynamic is read from what the file declares, and how many there are from its example."""

from __future__ import annotations

import pytest
from checking import Checker

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


def _found(check_text: Checker, body: str, dims: str, text: str = PROGRAM) -> list[tuple[str, int]]:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    source = text.format(body=lines, dims=dims)
    report = check_text(source.replace("32, 48", "32, 32") if dims == SQUARE else source)
    assert not report.problems
    return [(finding.code, finding.span.start.row - 11) for finding in report.findings]


@pytest.mark.parametrize(
    ("body", "dims"),
    [
        ("if x.shape[-2] % 8 != 0:\n    return x\nreturn -x", HEIGHT),
        ("h, w = x.shape[-2:]\nif h > 8:\n    return x\nreturn -x", HEIGHT),
        ("*_, h, w = x.size()\nif h > 8:\n    return x\nreturn -x", HEIGHT),
        ("if x.size(-2) > 8:\n    return x\nreturn -x", '{-2: Dim("h")}'),
        ("if x.permute(0, 2, 3, 1).shape[1] > 8:\n    return x\nreturn -x", HEIGHT),
        ("if x.flatten(2).transpose(1, 2).shape[1] > 8:\n    return x\nreturn -x", HEIGHT),
        # Of fewer rows the layer leaves none.
        ("if self.convolution(x).relu().shape[-2] > 8:\n    return x\nreturn -x", '{2: Dim("h", min=5)}'),
        ("if x[:, 0].shape[1] > 8:\n    return x\nreturn -x", HEIGHT),
        ("if x.view(x.shape[0], 3, -1).shape[-1] > 8:\n    return x\nreturn -x", HEIGHT),
        ("if x.flatten(end_dim=2).shape[0] > 8:\n    return x\nreturn -x", HEIGHT),
        ("if torch.zeros(1, x.shape[2]).shape[-1] > 8:\n    return x\nreturn -x", HEIGHT),
        ("if x.mean(1).shape[1] > 8:\n    return x\nreturn -x", HEIGHT),
        ("if x.shape[2] != x.shape[0]:\n    return x\nreturn -x", '{0: Dim("b"), 2: Dim("h")}'),
    ],
)
def test_a_branch_on_a_dynamic_dimension_is_found(check_text: Checker, body: str, dims: str) -> None:
    # That strict keeps an axis static that is counted from the end is another rule's.
    assert [code for code, _ in _found(check_text, body, dims) if code != "EDB902"] == ["EDB302"]


@pytest.mark.parametrize(
    ("body", "dims"),
    [
        ("if x.shape[-1] > 8:\n    return x\nreturn -x", HEIGHT),
        ("if x[0].shape[0] > 8:\n    return x\nreturn -x", BATCH),
        ("if x.mean(0).shape[0] > 8:\n    return x\nreturn -x", BATCH),
        ("if x.transpose(0, 1).shape[0] > 8:\n    return x\nreturn -x", BATCH),
        ("if x.permute(1, 0, 2, 3).relu().shape[0] > 8:\n    return x\nreturn -x", BATCH),
        ("if x.unsqueeze(0).shape[0] > 8:\n    return x\nreturn -x", BATCH),
        ("if x.flatten(end_dim=2).shape[1] > 8:\n    return x\nreturn -x", HEIGHT),
        ("if 1 < x.size(0):\n    return x\nreturn -x", BATCH),
        # Export gives no symbol to a size of 0 or 1, and none to what the Dim excludes.
        ("if x.shape[0] == 1:\n    return x\nreturn -x", BATCH),
        ("if x.shape[0] <= 1:\n    return x\nreturn -x", BATCH),
        ("if x.size(0) > 1:\n    return x\nreturn -x", BATCH),
        ("b = x.shape[0]\nreturn x if b < 2 else -x", BATCH),
        ("assert x.shape[0] <= 64\nreturn x", '{0: Dim("b", max=64)}'),
        ("if x.shape[0] < 4:\n    return x\nreturn -x", '{0: Dim("b", min=4)}'),
        # Sizes of one name are equal.
        ("assert x.shape[2] == x.shape[3]\nreturn x", SQUARE),
        ("b, c, h, w = x.shape\nif h != w:\n    return x\nreturn -x", SQUARE),
    ],
)
def test_a_branch_that_every_admitted_size_takes_alike_is_left_alone(check_text: Checker, body: str, dims: str) -> None:
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
    assert _found(check_text, "if x.shape[-2] > 8:\n    return x\nreturn -x", HEIGHT, text) == [("EDB302", 1)]
    assert _found(check_text, "if x.shape[-1] > 8:\n    return x\nreturn -x", HEIGHT, text) == []


@pytest.mark.parametrize(
    ("x", "y", "dims", "rows"),
    [
        ("torch.randn(1, 4)", "torch.randn(1, 4)", "({0: n}, {0: n})", [12, 12]),
        ("torch.randn(1, 4)", "torch.randn(4)", '{"x": {0: n}, "y": None}', [12]),
        ("torch.zeros((2, 1)).long()", "torch.randn(1)", "({1: Dim.DYNAMIC(max=8)}, None)", [12]),
        ("torch.randint(0, 5, (1, 4))", "torch.full((1, 4), 0.5)", "({0: n}, {0: n})", [12, 12]),
        ("torch.randn(2, 1)", "torch.randn(2, 1)", "({0: n}, {0: n})", []),
        ("torch.randn(2, 1).T", "torch.randn(1, 2)", "({0: n}, None)", []),
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


def test_no_size_is_dynamic_where_none_is_declared(check_text: Checker) -> None:
    body = "        y = x.view(2, -1, 4)\n        return y if y.shape[1] > 8 else -y\n"
    text = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n" + body
    assert check_text(text).findings == ()
