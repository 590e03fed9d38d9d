"""Sizes that are declared by `ShapeVar` (torch 2.14 and newer): what check says of each program for non-strict export.

The rows were exported with torch 2.15.0: `fails` raises, `specializes` leaves one size without a word.
"""

from __future__ import annotations

import textwrap

import pytest
from exportdb_rules.finding import Mode

from .conftest import Checker

PROGRAM = """\
import math
import torch
import torch.nn.functional as F
from torch import nn
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = {layer}
        self.register_buffer("table", torch.ones({rows}, 6))

    def forward(self, x):
        n = x.shape[0]
{body}


example_args = (torch.randn(8, 6),)
dynamic_shapes = {spec}
model = Net()
"""
SPEC = 'ShapesSpec(ParamsSpec({{"x": TensorSpec([ShapeVar("rows"{range}), None])}}))'
# The body, what export does, the range, the layer, and the rows of the buffer.
ROWS: list[tuple[str, str, str, str, int]] = [
    ("return x+1 if n > 0 else x", "fails", "", "nn.Identity()", 9),
    ("return x+1 if n >= 0 else x", "ok", "", "nn.Identity()", 9),
    ("return x+1 if n == 1 else x", "fails", "", "nn.Identity()", 9),
    ("return x+1 if n else x", "fails", "", "nn.Identity()", 9),
    ("return x+1 if x.numel() == 0 else x", "fails", "", "nn.Identity()", 9),
    ("return x+1 if n > 5 else x", "ok", "min=6", "nn.Identity()", 9),
    ("return x+1 if n == 1 else x", "ok", "min=6", "nn.Identity()", 9),
    ("return x+1 if n % 2 == 0 else x", "fails", "min=6", "nn.Identity()", 9),
    ("return x+1 if n else x", "ok", "min=1", "nn.Identity()", 9),
    ("return x+1 if n > 64 else x", "ok", "max=64", "nn.Identity()", 9),
    ("assert n == 8\nreturn x", "specializes", "", "nn.Identity()", 9),
    ("torch._check(n > 2)\nreturn x+1 if n > 2 else x", "ok", "", "nn.Identity()", 9),
    ("return x + torch.ones(8, 6)", "specializes", "", "nn.Identity()", 9),
    ("return x + self.table", "specializes", "", "nn.Identity()", 8),
    ("return x + self.table[:n]", "ok", "", "nn.Identity()", 16),
    ("return x.reshape(8, -1)", "ok", "", "nn.Identity()", 9),
    ("return x.reshape(n, 2, 3)", "ok", "", "nn.Identity()", 9),
    ("return x.view(n // 2, 2, 6)", "ok", "", "nn.Identity()", 9),
    ("return x.reshape(-1, 4)", "ok", "", "nn.Identity()", 9),
    ("return self.layer(x)", "ok", "", "nn.Linear(6,3)", 9),
    ("return x[2:]", "ok", "", "nn.Identity()", 9),
    ("return x[:3]", "ok", "", "nn.Identity()", 9),
    ("return x[: n // 2]", "ok", "", "nn.Identity()", 9),
    ("return x[5]", "ok", "", "nn.Identity()", 9),
    ("return x.chunk(2)[0]", "fails", "", "nn.Identity()", 9),
    ("return x.split(2)[0]", "fails", "", "nn.Identity()", 9),
    ("return x + min(n, 4)", "ok", "", "nn.Identity()", 9),
    ("return x + torch.arange(n).unsqueeze(1)", "ok", "", "nn.Identity()", 9),
    ("return x.mean(0)", "ok", "", "nn.Identity()", 9),
    ("return torch.cond(n > 5, lambda x: x + 1, lambda x: x - 1, (x,))", "ok", "", "nn.Identity()", 9),
    ("q = x[None, None]\nreturn F.scaled_dot_product_attention(q, q, q)", "ok", "", "nn.Identity()", 9),
    ("return self.layer(x.T[None])", "ok", "", "nn.Conv1d(6,4,3)", 9),
    ("return F.max_pool1d(x.T[None], 2)", "fails", "", "nn.Identity()", 9),
    ("return F.max_pool2d(x[None,None], 2)", "ok", "", "nn.Identity()", 9),
    ("return F.interpolate(x[None,None], scale_factor=2)", "ok", "", "nn.Identity()", 9),
    ("return self.layer(x)", "ok", "", "nn.LayerNorm(6)", 9),
    ("return self.layer(x)", "fails", "", "nn.BatchNorm1d(6)", 9),
    ("return self.layer(x[None])[0]", "fails", "", "nn.LSTM(6,4,batch_first=True)", 9),
    ("return self.layer(x[None])[0]", "fails", "", "nn.GRU(6,4,batch_first=True)", 9),
    ("return F.pad(x, (0, 0, 0, (-n) % 4)).view(-1, 4, 6)", "ok", "", "nn.Identity()", 9),
    ("return x.repeat(2, 1)", "ok", "", "nn.Identity()", 9),
    ("return torch.tril(torch.ones(n, n)) @ x", "ok", "", "nn.Identity()", 9),
    ("return x.unbind(0)[0]", "fails", "", "nn.Identity()", 9),
    ("return x.topk(3, dim=0).values", "ok", "", "nn.Identity()", 9),
    ("return x + {8: 1}.get(n, 2)", "fails", "", "nn.Identity()", 9),
    ("msg = f'{n}'\nreturn x + len(msg)", "ok", "", "nn.Identity()", 9),
    ("return x + torch.tensor([1.0] * n).unsqueeze(1)", "fails", "", "nn.Identity()", 9),
    ("return x / math.sqrt(n)", "fails", "", "nn.Identity()", 9),
    ("return x / n", "ok", "", "nn.Identity()", 9),
    ("return torch.cdist(x, x)", "fails", "", "nn.Identity()", 9),
    ("return torch.einsum('ij,kj->ik', x, x)", "ok", "", "nn.Identity()", 9),
    ("return x.roll(1, 0)", "fails", "", "nn.Identity()", 9),
    ("return x[x[:, 0] > 0]", "ok", "", "nn.Identity()", 9),
    ("return self.layer(x[None], x[None], x[None])[0]", "ok", "", "nn.MultiheadAttention(6,2,batch_first=True)", 9),
    ("return self.layer(x[None])", "ok", "", "nn.TransformerEncoderLayer(6,2,12,batch_first=True).eval()", 9),
    ("for i in range(n):\n    x = x + i\nreturn x", "fails", "", "nn.Identity()", 9),
    ("return x + int(n)", "fails", "", "nn.Identity()", 9),
    ("return x + len(x)", "fails", "", "nn.Identity()", 9),
    ("t = 0\nfor r in x:\n    t = t + r\nreturn t", "fails", "", "nn.Identity()", 9),
    ("y = x[2:]\nreturn y + 1 if y.shape[0] > 4 else y", "fails", "", "nn.Identity()", 9),
    ("y = torch.cat([x, x])\nreturn y + 1 if y.shape[0] > 4 else y", "fails", "", "nn.Identity()", 9),
    ("b, c = x.shape\nif b != 8:\n    raise ValueError\nreturn x", "fails", "", "nn.Identity()", 9),
    ("b, c = x.shape\nif c != 6:\n    raise ValueError\nreturn x", "ok", "", "nn.Identity()", 9),
    ("return x if x.dim() == 2 else x + 1", "ok", "", "nn.Identity()", 9),
    ("while n > 1:\n    n = n // 2\nreturn x + n", "fails", "", "nn.Identity()", 9),
    ("return torch.stack([x[i] for i in range(n)])", "fails", "", "nn.Identity()", 9),
    ("return x.expand(2, n, 6)", "ok", "", "nn.Identity()", 9),
    ("return x.squeeze(0)", "ok", "", "nn.Identity()", 9),
    ("return x.t().reshape(-1)", "ok", "", "nn.Identity()", 9),
    ("k = max(n, 4)\nreturn F.pad(x, (0, 0, 0, k - n))", "ok", "", "nn.Identity()", 9),
    ("return x.new_zeros(n, 3) + 1", "ok", "", "nn.Identity()", 9),
    ("if x.shape[0] == x.shape[1]:\n    return x.T\nreturn x", "fails", "", "nn.Identity()", 9),
    ("ok = n > 3 and n < 100\nreturn x + 1 if ok else x", "fails", "", "nn.Identity()", 9),
    ("return F.one_hot(x[:, 0].long().clamp(0), 5)", "ok", "", "nn.Identity()", 9),
    ("return x.flatten().view(n, 6)", "ok", "", "nn.Identity()", 9),
]


def _verdict(
    check_text: Checker, body: str, spec: str, layer: str = "nn.Identity()", rows: int = 9, version: str = "2.15.0"
) -> str:
    text = PROGRAM.format(layer=layer, rows=rows, body=textwrap.indent(body, " " * 8), spec=spec)
    found = {finding.verdict[Mode.NON_STRICT].value for finding in check_text(text, torch_version=version).findings}
    return "fails" if "fails" in found else "specializes" if "specializes" in found else "ok"


@pytest.mark.parametrize(("body", "verdict", "bounds", "layer", "rows"), ROWS, ids=[row[0] + row[2] for row in ROWS])
def test_what_export_makes_of_an_unbacked_size_is_known(
    body: str, verdict: str, bounds: str, layer: str, rows: int, check_text: Checker
) -> None:
    assert _verdict(check_text, body, SPEC.format(range=f", {bounds}" if bounds else ""), layer, rows) == verdict


@pytest.mark.parametrize(
    "spec",
    [
        'ShapesSpec(params=ParamsSpec({"x": TensorSpec([ShapeVar("rows"), 6])}))',
        'ShapesSpec({"x": TensorSpec((ShapeVar("rows", max=64), STATIC))})',
        'ParamsSpec({"x": TensorSpec([2 * ShapeVar("rows"), None])})',
        'dynamic_spec.ParamsSpec(dict(x=dynamic_spec.TensorSpec([dynamic_spec.ShapeVar("rows")] + [None])))',
    ],
)
def test_the_ways_to_write_it_are_read(spec: str, check_text: Checker) -> None:
    assert _verdict(check_text, "return x if n > 5 else x + 1", spec) == "fails"


@pytest.mark.parametrize(
    "spec",
    [
        'ParamsSpec({"x": TensorSpec([None, 6])})',
        "ParamsSpec({})",
        # What is promised of several sizes may decide the branch.
        'ShapesSpec({"x": TensorSpec([ShapeVar("rows"), None])}, assumptions=[ShapeVar("rows") > 5])',
        "made()",
    ],
)
def test_what_says_nothing_of_the_size_is_no_finding(spec: str, check_text: Checker) -> None:
    assert _verdict(check_text, "return x if n > 5 else x + 1", spec) == "ok"


@pytest.mark.parametrize(
    ("version", "verdict"), [("2.12.1", "fails"), ("2.13.0", "fails"), ("2.14.1", "ok"), ("2.15.0", "ok")]
)
def test_before_torch_2_14_export_refuses_the_form(version: str, verdict: str, check_text: Checker) -> None:
    spec = SPEC.format(range="")
    assert _verdict(check_text, "return x.sin()", spec, version=version) == verdict
    text = PROGRAM.format(layer="nn.Identity()", rows=9, body="        return x if n > 5 else x + 1", spec=spec)
    codes = [finding.code for finding in check_text(text, torch_version=version).findings]
    assert codes == (["EDB902"] if verdict == "fails" else ["EDB302"])
