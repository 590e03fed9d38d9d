"""Tensors that are indexed by dynamic sizes, and by what is computed of these, beside what torch.export takes in each mode."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checking import Checker
from exportdb_rules.finding import Mode, Verdict

from ..programs import fill, load, model_exports

torch = pytest.importorskip("torch")

PROGRAM = """\
import math

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        n, s = x.shape
        rows, square, table = torch.zeros(n, 4), torch.zeros(n, n), torch.zeros(16, 16, 3)
        {body}


model = Net()
example_args = (torch.randn({rows}, 5),)
b, t = torch.export.Dim("b", min={low}, max={high}), torch.export.Dim("t", min=2, max=9)
dynamic_shapes = {{"x": {{0: b, 1: t}}}}
"""
BOTH, STRICT, NEITHER = {Mode.NON_STRICT, Mode.STRICT}, {Mode.STRICT}, set[Mode]()
# What is done, the range of the first dimension, and the modes that refuse it.
ROWS: list[tuple[str, tuple[int, int], set[Mode]]] = [
    # Alone, an index may be a symbol.
    ("return x * rows[n - 1].sum()", (2, 9), NEITHER),
    ("rows[n - 1] = 1.0; return x * rows.sum()", (2, 9), NEITHER),
    ("return x * rows[n - 1 :].sum()", (2, 9), NEITHER),
    ("return x * x.select(1, s - 1).sum()", (2, 9), NEITHER),
    ("square[n - 1][0] = 1.0; return x * square.sum()", (2, 9), NEITHER),
    ("square.select(1, n - 1)[...] = 1.0; return x * square.sum()", (2, 9), NEITHER),
    ("return x * x[:, -1].sum() * x[0, 1]", (2, 9), NEITHER),
    # Beside others it is the number of the example: where it is read, to strict export alone.
    ("return x * x[:, s - 1].sum()", (2, 9), STRICT),
    ("return x * x[..., s - 1].sum()", (2, 9), STRICT),
    ("return x * square[n - 1, n - 1]", (2, 9), STRICT),
    ("return x * table[None, n - 1].sum()", (2, 9), STRICT),
    ("return x * rows[n - 1,].sum()", (2, 9), STRICT),
    # And to both where it is written, or a tensor or a list stands beside it.
    ("square[n - 1, 0] = 1.0; return x * square.sum()", (2, 9), BOTH),
    ("square[:, n - 1] += 1.0; return x * square.sum()", (2, 9), BOTH),
    ("table[..., n - 1] = 1.0; return x * table.sum()", (2, 3), BOTH),
    ("i = (n - 1, 0); square[i] = 1.0; return x * square.sum()", (2, 9), BOTH),
    ("return x * table[torch.arange(n), n - 1].sum()", (2, 9), BOTH),
    ("return x * table[[0, 1], n - 1].sum()", (2, 9), BOTH),
    # That it lies before the end has to follow from the ranges.
    ("return x * x[n // 2].sum()", (2, 9), BOTH),
    ("return x * x[-(n // 2)].sum()", (2, 9), BOTH),
    ("return x * x[(n - 1) // 2].sum()", (2, 9), BOTH),
    ("return x * x.select(0, n // 2).sum()", (2, 9), BOTH),
    ("return x * x.narrow(0, n // 4, 1).sum()", (2, 9), BOTH),
    ("return x * x[n // 8].sum()", (2, 9), NEITHER),
    ("return x * x[n % 2].sum()", (2, 9), NEITHER),
    ("return x * x[n % 3].sum()", (2, 9), BOTH),
    ("return x * x[n % 3].sum()", (3, 9), NEITHER),
    ("return x * x[n // 4].sum()", (6, 20), NEITHER),
    ("return x * table[n // 2].sum()", (2, 9), NEITHER),
    # And that it is not negative.
    ("return x * x[n - 2].sum()", (2, 9), NEITHER),
    ("return x * x[n - 3].sum()", (2, 9), BOTH),
    ("return x * x[n - 3].sum()", (3, 9), NEITHER),
    # Whole parts are sizes as others are.
    ("return x * math.ceil(n / 2) * math.floor(n * 0.5) * math.trunc(n / 3)", (2, 9), NEITHER),
    ("return x * torch.zeros(math.ceil(n / 2)).sum()", (4, 9), NEITHER),
    ("return torch.nn.functional.pad(x, (0, 0, 0, math.ceil(n / 4) * 4 - n))", (2, 9), NEITHER),
    ("return x[: math.ceil(n / 2)].sum() + x", (4, 9), BOTH),
    ("return x[: math.ceil(0.75 * n)].sum() + x", (4, 9), BOTH),
    ("return x.topk(math.ceil(n * 0.5), dim=0).values.sum() + x", (4, 9), BOTH),
    ("return x[: math.floor(n / 2)].sum() + x", (4, 9), NEITHER),
    ("return x[: math.floor(n / 2)].sum() + x", (4, 20), BOTH),
    # What was a float in between is not known to be the same, but for the quotient of whole numbers.
    ("return x + torch.zeros(math.floor(n * 1.0), 1).sum()", (2, 9), NEITHER),
    ("return x + torch.zeros(math.floor(n * 1.0), 1)", (2, 9), BOTH),
    ("return x[: math.ceil(2 * n / 2.0)]", (2, 9), BOTH),
    ("return x[: int(x.repeat(4, 1).shape[0] / 4.0)]", (2, 9), BOTH),
    ("return x[: int(x.repeat(4, 1).shape[0] / 4)]", (2, 9), {Mode.NON_STRICT}),
    # What is asked of several dimensions at once narrows none of them.
    ("return x.flatten().topk(min(60, n * s)).values.sum() + x", (4, 9), NEITHER),
    ("return x.flatten().topk(n * s // 2).values.sum() + x", (4, 9), NEITHER),
    ("return x.flatten()[: n * s // 2].sum() + x", (4, 9), NEITHER),
    ("return x.topk(n // 2, dim=0).values.sum() + x", (4, 20), BOTH),
    # A number that a size is never below is the smaller one.
    ("return x[:, 0].topk(min(4, n)).values.sum() + x", (4, 9), NEITHER),
    ("return x[torch.arange(0, n, 2)]", (4, 9), NEITHER),
    ("return x + torch.arange(0, n, 2).sum()", (2, 9), {Mode.NON_STRICT}),
    # Half of the frequencies, along another than the last dimension.
    ("return torch.fft.rfft(x, dim=0).abs()", (4, 90), BOTH),
    ("return torch.fft.rfft(x.T).abs()", (4, 90), NEITHER),
    ("return torch.fft.rfft(x, dim=1).abs()", (4, 90), NEITHER),
    # The diagonal is found by the numbers that the sizes are.
    ("return x * square.fill_diagonal_(1.0).sum()", (2, 9), BOTH),
    ("return x * torch.zeros(4, 4).fill_diagonal_(1.0).sum()", (2, 9), NEITHER),
]


@pytest.mark.parametrize(("body", "allowed", "refused"), ROWS, ids=[f"{body} {low}" for body, (low, _), _ in ROWS])
def test_what_refuses_the_index(
    body: str,
    allowed: tuple[int, int],
    refused: set[Mode],
    check_text: Checker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    low, high = allowed
    text = fill(PROGRAM, body=body, rows=str(low + 1), low=str(low), high=str(high))
    found = check_text(text).findings
    assert {mode for one in found for mode in Mode if one.verdict[mode] is Verdict.FAILS} == refused
    made = load(text, tmp_path, "indexed")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    for mode in Mode:
        taken = model_exports(
            made.model, made.example_args, strict=mode is Mode.STRICT, dynamic_shapes=made.dynamic_shapes
        )
        assert taken is (mode not in refused)


def test_a_loop_that_is_unrolled_indexes_by_plain_numbers(check_text: Checker) -> None:
    body = "for i in range(s):\n            x[:, i] = x[:, i] * 2\n        return x"
    text = fill(PROGRAM, body=body, rows="3", low="2", high="9")
    assert {one.code for one in check_text(text).findings} == {"EDB303"}
