"""Operators and layers on what a mask selects: what check says, beside what export makes of them.

The rows were exported with torch 2.13 in non-strict export: `v` has as many rows as the mask selects.
"""

from __future__ import annotations

import pytest

from .conftest import Checker
from .test_sizes_demanded import codes, prove

PROGRAM = """\
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = {layer}

    def forward(self, x, m):
        v = x[m]
        return {body}


model = Net().eval()
example_args = (torch.randn({sizes}), torch.tensor([True, False, True, True]))
dynamic_shapes = None
"""
# The body, the sizes of x, and whether it exports.
OPERATORS = [
    ("v.cummax(0)[0]", "4, 6", False),
    ("torch.cummin(v, dim=1)[1]", "4, 6", False),
    ("v.cumsum(0)", "4, 6", True),
    ("v.take(torch.tensor([0]))", "4, 6", False),
    ("torch.fft.rfft(v)", "4, 6", True),
    ("torch.fft.rfft(v, dim=0)", "4, 6", False),
    ("torch.fft.rfft(v, n=8, dim=0)", "4, 6", True),
    ("torch.fft.fft(v)", "4", False),
    ("torch.fft.ifft(v, dim=0)", "4, 6", False),
    ("torch.fft.fftshift(v, dim=1)", "4, 6, 5", False),
    ("torch.trapz(v)", "4, 6", True),
    ("torch.trapezoid(v, dim=0)", "4, 6", False),
    ("torch.trapezoid(v)", "4", False),
    ("v.diff()", "4, 6", True),
    ("v.diff(dim=-2)", "4, 6", False),
    ("v.unbind(1)", "4, 6", True),
    ("v.unbind(0)", "4, 6", False),
    ("v.vsplit(2)", "4, 6", False),
    ("v.vsplit([1, 2])", "4, 6", True),
    ("torch.tensordot(v, torch.ones(6, 3), dims=1)", "4, 6", False),
    ("torch.kron(v, torch.ones(2, 2))", "4, 6", False),
    ("torch.vander(v, 3)", "4", False),
    ("F.bilinear(v, v, torch.ones(2, 6, 6))", "4, 6", False),
    ("F.channel_shuffle(v, 2)", "4, 6, 5, 5", False),
    ("F.pixel_shuffle(v, 2)", "4, 8, 5, 5", True),
    ("F.local_response_norm(v, 2)", "4, 6, 5", False),
    ("F.group_norm(v, 2)", "4, 8", True),
    ("v.T.chunk(2, 1)", "4, 6", False),
    ("v.T.diff()", "4, 6", False),
    ("v.T.unfold(1, 2, 1)", "4, 6", True),
    ("F.group_norm(v, 2)", "4, 6, 2", True),
    ("F.max_pool1d(v, 2)", "4, 6", False),
    ("F.max_pool1d(v, 2)", "4, 6, 5", True),
    ("F.max_pool1d(v.T[None], 2)", "4, 6", False),
    ("F.adaptive_max_pool1d(v.T[None], 2)", "4, 6", False),
    ("F.adaptive_avg_pool1d(v.T[None], 2)", "4, 6", True),
    ("F.unfold(v[None, None], 2)", "4, 6", False),
    ("F.unfold(v[:, None, None], (1, 2))", "4, 6", True),
]
# The layer, its call, the sizes of x, and whether it exports.
LAYERS = [
    ("nn.GroupNorm(2, 6)", "layer(v)", "4, 6", False),
    ("nn.GroupNorm(2, 8)", "layer(v)", "4, 8", True),
    ("nn.GRU(6, 5, batch_first=True)", "layer(v)", "4, 3, 6", True),
    ("nn.LSTM(6, 5)", "layer(v)", "4, 3, 6", False),
    ("nn.LSTM(6, 5)", "layer(v.transpose(0, 1))", "4, 3, 6", True),
    ("nn.RNN(6, 5, batch_first=True)", "layer(v[None])", "4, 6", False),
    ("nn.GroupNorm(2, 6)", "layer(v)", "4, 6, 2, 2", True),
    ("nn.MaxPool1d(2)", "layer(v)", "4, 6, 5", True),
    ("nn.AdaptiveMaxPool1d(2)", "layer(v)", "4, 6, 5", True),
    ("nn.LocalResponseNorm(2)", "layer(v)", "4, 6, 5, 5", False),
    ("nn.Bilinear(6, 6, 2)", "layer(v, v)", "4, 6", False),
    ("nn.TransformerEncoderLayer(6, 2, 8)", "layer(v)", "4, 6", False),
    ("nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)", "layer(v)", "4, 6, 4", True),
    ("nn.TransformerEncoderLayer(4, 2, 8)", "layer(v)", "4, 6, 4", False),
    ("nn.TransformerEncoderLayer(6, 2, 8, batch_first=True)", "layer(v[None])", "4, 6", False),
    ("nn.MultiheadAttention(4, 2, batch_first=True)", "layer(v, v, v)[0]", "4, 6, 4", True),
    ("nn.MultiheadAttention(4, 2)", "layer(v, v, v)[0]", "4, 6, 4", True),
    ("nn.MultiheadAttention(4, 2)", "layer(v, v, v, need_weights=False)[0]", "4, 6, 4", False),
    ("nn.MultiheadAttention(4, 2, batch_first=True)", "layer(v, v, v, need_weights=False)[0]", "4, 6, 4", True),
    ("nn.MultiheadAttention(6, 2)", "layer(v, v, v, need_weights=False)[0]", "4, 6", False),
]


@pytest.mark.parametrize(("body", "sizes", "exports"), OPERATORS)
def test_an_operator(request: pytest.FixtureRequest, check_text: Checker, body: str, sizes: str, exports: bool) -> None:
    check(request, check_text, PROGRAM.format(layer="nn.Identity()", body=body, sizes=sizes), exports)


@pytest.mark.parametrize(("layer", "body", "sizes", "exports"), LAYERS)
def test_a_layer(
    request: pytest.FixtureRequest, check_text: Checker, layer: str, body: str, sizes: str, exports: bool
) -> None:
    check(request, check_text, PROGRAM.format(layer=layer, body=f"self.{body}", sizes=sizes), exports)


def check(request: pytest.FixtureRequest, check_text: Checker, source: str, exports: bool) -> None:
    """What check says of a program, and whether it exports."""
    assert codes(check_text, source) == (set() if exports else {"EDB208"})
    prove(request, source, exports)
