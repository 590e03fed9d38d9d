"""Views by a size of another input under `Dim.AUTO`, beside what the exported program takes of sizes that eager takes."""

from __future__ import annotations

import pytest
from checking import Checker

torch = pytest.importorskip("torch")

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor, context: torch.Tensor):
        batch, time, width = x.shape
        rows, steps, _ = context.shape
        return {result}
"""
# Expressions, the shape of a context with another batch than x, and whether the exported program refuses it, although eager
# does not.
ROWS = [
    ("context.view(batch, -1, 4, 4).transpose(1, 2)", (8, 6, 16), True),
    ("x.mean(1).view(batch, 4, 4) + context.view(batch, -1, 4, 4).mean(1)", (8, 6, 16), True),
    ("context.reshape(batch, -1).mean(-1)", (8, 6, 16), True),
    ("context.mean(2).view(batch, -1, 2).sum(-1)", (8, 6, 16), True),
    ("context.view(batch * 2, -1)", (8, 6, 16), True),
    ("context.view(rows, -1, 4, 4).transpose(1, 2)", (8, 6, 16), False),
    ("context.view(rows * steps, -1), context.reshape(rows * 2, -1)", (8, 6, 16), False),
    ("context.view(-1, 4, 4).mean(0)", (8, 6, 16), False),
    ("torch.ones(3, 8, 16).expand(batch, -1, -1, -1).reshape(batch * steps, -1)", (4, 8, 16), False),
]
# Eager takes no other batch there: nothing is lost.
EQUAL_IN_EAGER = [
    "context.reshape(batch, steps, -1) + x[:, :1]",
    "x.mean(1).view(batch, 1, -1) + context",
    "context.reshape(batch * steps, -1) + context.flatten(0, 1)",
    "x.view(batch, time, 4, -1)[:, :1] + context.view(batch, steps, 4, -1)",
]


def refused(text: str, shape: tuple[int, ...]) -> bool:
    """Whether the program that is exported with one batch refuses a context that has another."""
    names: dict[str, object] = {}
    exec(text, names)
    net = names["Net"]()  # type: ignore[operator]
    example = (torch.randn(4, 5, 16), torch.randn(4, 6, 16))
    auto = torch.export.Dim.AUTO
    program = torch.export.export(net, example, dynamic_shapes=({0: auto, 1: auto}, {0: auto, 1: auto}))
    other = (example[0], torch.randn(shape))
    net(*other)
    try:
        program.module()(*other)
    except Exception:
        return True
    return False


@pytest.mark.parametrize(("result", "shape", "narrowed"), ROWS, ids=[result for result, _, _ in ROWS])
def test_a_view_by_the_size_of_another_input(
    result: str, shape: tuple[int, ...], narrowed: bool, check_text: Checker
) -> None:
    text = NET.format(result=result)
    found = [finding.code for finding in check_text(text, dynamic="all").findings]
    assert found == (["EDB305"] if narrowed else [])
    assert refused(text, shape) is narrowed


@pytest.mark.parametrize("result", EQUAL_IN_EAGER)
def test_a_view_that_eager_takes_of_equal_sizes_alone(result: str, check_text: Checker) -> None:
    text = NET.format(result=result)
    assert check_text(text, dynamic="all").findings == ()
    with pytest.raises(RuntimeError):
        refused(text, (8, 6, 16))
