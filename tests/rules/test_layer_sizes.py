"""What layers of torch.nn and views ask of the sizes of several inputs: what check says, beside what export makes of them.

The rows were exported with torch 2.13 in both modes: those that are silent export for their whole range.
"""

from __future__ import annotations

import re

import pytest

from .conftest import Checker
from .test_sizes_demanded import FIXED, RELATED, codes, prove

PROGRAM = """\
import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim

A = Dim("a")
B = Dim("b")
C = Dim("c")
D = Dim("d")
E = Dim("e")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = {layer}

    def forward(self, {names}):
        return {body}


model = Net().eval()
example_args = ({args},)
dynamic_shapes = ({dims},)
"""
# The layer, its call, the inputs, their dimensions, and the rule; "" where it exports.
LAYERS = [
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, y, y)[0]",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A, 1: B}, {0: A, 1: C}",
        "",
    ),
    (
        "nn.MultiheadAttention(16, 4)",
        "layer(x, y, y)[0]",
        "torch.randn(8,2,16), torch.randn(5,2,16)",
        "{0: A, 1: B}, {0: C, 1: D}",
        "",
    ),
    (
        "nn.MultiheadAttention(16, 4)",
        "layer(x, y, y)[0]",
        "torch.randn(8,2,16), torch.randn(5,2,16)",
        "{0: A, 1: B}, {0: C, 1: B}",
        "",
    ),
    (
        "nn.MultiheadAttention(16, 4)",
        "layer(x, y, z)[0]",
        "torch.randn(8,2,16), torch.randn(5,2,16), torch.randn(5,2,16)",
        "None, {0: A}, {0: B}",
        RELATED,
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, x, x, attn_mask=m, need_weights=False)[0]",
        "torch.randn(2,8,16), torch.rand(8,8) > 0",
        "{1: A}, {0: B, 1: C}",
        RELATED,
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, x, x, attn_mask=m, need_weights=False)[0]",
        "torch.randn(2,8,16), torch.rand(8,8) > 0",
        "{1: A}, {0: A, 1: A}",
        "",
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, x, x, attn_mask=m)[0]",
        "torch.randn(2,8,16), torch.rand(8,8,8) > 0",
        "{0: A}, {0: B}",
        RELATED,
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, x, x, key_padding_mask=m, need_weights=False)[0]",
        "torch.randn(2,8,16), torch.rand(2,8) > 0",
        "{0: A, 1: B}, {0: A, 1: B}",
        "",
    ),
    (
        "nn.MultiheadAttention(16, 4, kdim=12, vdim=12, batch_first=True)",
        "layer(x, y, y)[0]",
        "torch.randn(2,8,16), torch.randn(2,8,12)",
        "{0: A, 1: B}, {0: C, 1: D}",
        "",
    ),
    (
        "nn.MultiheadAttention(16, 4, kdim=12, vdim=12, batch_first=True)",
        "layer(x, y, y)[0]",
        "torch.randn(2,8,16), torch.randn(2,8,12)",
        "{0: A, 1: B}, {0: A, 1: B, 2: C}",
        FIXED,
    ),
    ("nn.MultiheadAttention(16, 4, batch_first=True)", "layer(x, x, x)[0]", "torch.randn(2,8,16)", "{2: A}", FIXED),
    (
        "nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, src_key_padding_mask=m)",
        "torch.randn(2,8,16), torch.rand(2,8) > 0",
        "{0: A, 1: B}, {0: C, 1: D}",
        RELATED,
    ),
    (
        "nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, src_key_padding_mask=m)",
        "torch.randn(2,8,16), torch.rand(2,8) > 0",
        "{0: A, 1: B}, {0: A, 1: C}",
        RELATED,
    ),
    (
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2)",
        "layer(x, src_key_padding_mask=m)",
        "torch.randn(2,8,16), torch.rand(2,8) > 0",
        "{0: A, 1: B}, {0: A, 1: B}",
        "",
    ),
    (
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2)",
        "layer(x, src_key_padding_mask=m)",
        "torch.randn(2,8,16), torch.rand(2,8) > 0",
        "{0: A, 1: B}, {0: C, 1: D}",
        RELATED,
    ),
    (
        "nn.TransformerDecoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, y)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A, 1: B}, {0: C, 1: D}",
        "",
    ),
    (
        "nn.TransformerDecoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, y)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A, 1: B}, {0: A, 1: C}",
        "",
    ),
    (
        "nn.TransformerDecoder(nn.TransformerDecoderLayer(16, 4, 32, batch_first=True), 2)",
        "layer(x, y)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A, 1: B}, {0: C, 1: D}",
        "",
    ),
    (
        "nn.Transformer(16, 4, 1, 1, 32, batch_first=True)",
        "layer(x, y)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A, 1: B}, {0: C, 1: D}",
        RELATED,
    ),
    (
        "nn.Transformer(16, 4, 1, 1, 32, batch_first=True)",
        "layer(x, y)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A, 1: B}, {0: A, 1: C}",
        "",
    ),
    ("nn.TransformerEncoderLayer(16, 4, 32)", "layer(x)", "torch.randn(8,2,16)", "{0: A, 1: B, 2: C}", FIXED),
    (
        "nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, torch.ones(x.size(1), x.size(1)).triu(1).bool())",
        "torch.randn(2,8,16)",
        "{0: A, 1: B}",
        "",
    ),
    (
        "nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)",
        "layer(x)[:, 0] + layer(x).mean(1) + x.sum(1)",
        "torch.randn(2,8,16)",
        "{0: A, 1: B}",
        "",
    ),
    ("nn.InstanceNorm1d(8)", "layer(x)", "torch.randn(2,8,16)", "{0: A, 1: B}", FIXED),
    ("nn.InstanceNorm1d(8, affine=True)", "layer(x)", "torch.randn(2,8,16)", "{0: A, 1: B}", FIXED),
    (
        "nn.InstanceNorm2d(8, affine=True, track_running_stats=True)",
        "layer(x)",
        "torch.randn(2,8,16,16)",
        "{0: A, 1: B, 2: C}",
        FIXED,
    ),
    ("nn.BatchNorm2d(8)", "layer(x)", "torch.randn(2,8,16,16)", "{0: A, 1: B, 2: C}", FIXED),
    ("nn.BatchNorm2d(8, affine=False)", "layer(x)", "torch.randn(2,8,16,16)", "{0: A, 1: B, 2: C}", FIXED),
    (
        "nn.BatchNorm2d(8, affine=False, track_running_stats=False)",
        "layer(x)",
        "torch.randn(2,8,16,16)",
        "{0: A, 1: B, 2: C}",
        "",
    ),
    ("nn.GroupNorm(4, 8, affine=False)", "layer(x)", "torch.randn(2,8,16,16)", "{0: A, 1: B, 2: C}", RELATED),
    ("nn.LayerNorm(16, elementwise_affine=False)", "layer(x)", "torch.randn(2,8,16)", "{0: A, 1: B, 2: C}", FIXED),
    ("nn.LayerNorm([8, 16])", "layer(x)", "torch.randn(2,8,16)", "{0: A, 1: B, 2: C}", FIXED),
    ("nn.RMSNorm(16)", "layer(x)", "torch.randn(2,8,16)", "{0: A, 1: B, 2: C}", FIXED),
    (
        "nn.Parameter(torch.ones(16))",
        "F.rms_norm(x, (16,), self.w)",
        "torch.randn(2,8,16)",
        "{0: A, 1: B, 2: C}",
        FIXED,
    ),
    ("nn.PReLU(8)", "layer(x)", "torch.randn(2,8,16)", "{0: A, 1: B, 2: C}", FIXED),
    ("nn.PixelShuffle(2)", "layer(x)", "torch.randn(2,8,16,16)", "{0: A, 1: B, 2: C}", RELATED),
    ("nn.PixelUnshuffle(2)", "layer(x)", "torch.randn(2,8,16,16)", "{0: A, 2: B, 3: C}", RELATED),
    ("nn.ChannelShuffle(2)", "layer(x)", "torch.randn(2,8,16,16)", "{0: A, 1: B}", RELATED),
    ("nn.LocalResponseNorm(2)", "layer(x)", "torch.randn(2,8,16,16)", "{0: A, 1: B, 2: C}", ""),
    (
        "nn.CosineSimilarity()",
        "layer(x, y)",
        "torch.randn(2,8), torch.randn(2,8)",
        "{0: A, 1: B}, {0: C, 1: D}",
        RELATED,
    ),
    ("nn.GLU()", "layer(x)", "torch.randn(2,8)", "{0: A, 1: B}", RELATED),
    ("nn.EmbeddingBag(10, 4)", "layer(x)", "torch.randint(0, 4, (2,8,))", "{0: A, 1: B}", ""),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, y, y, need_weights=False)[0]",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A}, {0: B}",
        RELATED,
    ),
    (
        "nn.MultiheadAttention(16, 4)",
        "layer(x, y, y, need_weights=False)[0]",
        "torch.randn(8,2,16), torch.randn(5,2,16)",
        "{1: A}, {1: B}",
        RELATED,
    ),
    (
        "nn.TransformerDecoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, y)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A}, {0: B}",
        RELATED,
    ),
    (
        "nn.TransformerDecoderLayer(16, 4, 32)",
        "layer(x, y)",
        "torch.randn(8,2,16), torch.randn(5,2,16)",
        "{1: A}, {1: B}",
        RELATED,
    ),
    (
        "nn.TransformerDecoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, y)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "None, {0: A, 1: B}",
        FIXED,
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, y, z, need_weights=False)[0]",
        "torch.randn(2,8,16), torch.randn(2,5,16), torch.randn(2,5,16)",
        "None, {1: A}, {1: B}",
        RELATED,
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, y, z, need_weights=False)[0]",
        "torch.randn(2,8,16), torch.randn(2,5,16), torch.randn(2,5,16)",
        "{0: A}, {0: B}, {0: C}",
        RELATED,
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, x, x, key_padding_mask=m)[0]",
        "torch.randn(2,8,16), torch.rand(2,8) > 0",
        "{0: A}, {0: B}",
        RELATED,
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, x, x, key_padding_mask=m, need_weights=False)[0]",
        "torch.randn(2,8,16), torch.rand(2,8) > 0",
        "{0: A, 1: B}, {0: C, 1: D}",
        RELATED,
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, y, y, attn_mask=m)[0]",
        "torch.randn(2,8,16), torch.randn(2,5,16), torch.rand(8,5) > 0",
        "{1: A}, {1: B}, {0: C, 1: D}",
        RELATED,
    ),
    (
        "nn.MultiheadAttention(16, 4, batch_first=True)",
        "layer(x, y, y, attn_mask=m, need_weights=False)[0]",
        "torch.randn(2,8,16), torch.randn(2,5,16), torch.rand(8,5) > 0",
        "{1: A}, {1: B}, {0: C, 1: D}",
        RELATED,
    ),
    (
        "nn.TransformerDecoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, y, memory_key_padding_mask=m)",
        "torch.randn(2,8,16), torch.randn(2,5,16), torch.rand(2,5) > 0",
        "{0: A}, {0: A, 1: B}, {1: C, 0: A}",
        RELATED,
    ),
    (
        "nn.TransformerDecoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, y, memory_key_padding_mask=m)",
        "torch.randn(2,8,16), torch.randn(2,5,16), torch.rand(2,5) > 0",
        "{0: A}, {0: A, 1: B}, {1: B, 0: C}",
        RELATED,
    ),
    (
        "nn.TransformerDecoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, y, tgt_mask=m)",
        "torch.randn(2,8,16), torch.randn(2,5,16), torch.randn(8,8)",
        "{1: A}, None, {0: B, 1: C}",
        RELATED,
    ),
    (
        "nn.TransformerDecoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, y, tgt_mask=m, tgt_is_causal=False)",
        "torch.randn(2,8,16), torch.randn(2,5,16), torch.randn(8,8)",
        "{1: A}, None, {0: A, 1: B}",
        RELATED,
    ),
    (
        "nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)",
        "layer(x, src_mask=m, is_causal=False)",
        "torch.randn(2,8,16), torch.rand(8,8) > 0",
        "{1: A}, {0: B, 1: C}",
        RELATED,
    ),
    ("nn.MultiheadAttention(16, 4)", "layer(x, x, x)[0]", "torch.randn(8,16)", "{0: A}", ""),
    (
        "nn.MultiheadAttention(16, 4)",
        "layer(x, y, z)[0]",
        "torch.randn(8,16), torch.randn(5,16), torch.randn(5,16)",
        "{0: A}, {0: B}, {0: C}",
        RELATED,
    ),
    (
        "nn.GRU(16, 4, batch_first=True)",
        "layer(x, h)[0]",
        "torch.randn(2,8,16), torch.randn(1,2,4)",
        "{0: A}, {1: B}",
        RELATED,
    ),
    (
        "nn.GRU(16, 4, batch_first=True)",
        "layer(x, h)[0]",
        "torch.randn(2,8,16), torch.randn(1,2,4)",
        "{0: A}, {1: A}",
        "",
    ),
    (
        "nn.LSTM(16, 4)",
        "layer(x, (h, c))[0]",
        "torch.randn(8,2,16), torch.randn(1,2,4), torch.randn(1,2,4)",
        "{1: A}, {1: B}, {1: C}",
        RELATED,
    ),
    (
        "nn.LSTM(16, 4)",
        "layer(x, (h, c))[0]",
        "torch.randn(8,2,16), torch.randn(1,2,4), torch.randn(1,2,4)",
        "{1: A}, {1: A}, {1: A}",
        "",
    ),
    ("nn.GRU(16, 4)", "layer(x, h)[0]", "torch.randn(8,16), torch.randn(1,4)", "None, {1: A}", FIXED),
    ("nn.GRU(16, 4)", "layer(x, h)[0]", "torch.randn(8,16), torch.randn(2,4)", "None, {1: A}", FIXED),
    (
        "nn.RNN(16, 4, num_layers=2)",
        "layer(x, h)[0]",
        "torch.randn(8,3,16), torch.randn(2,3,4)",
        "None, {0: A}",
        FIXED,
    ),
    (
        "nn.RNN(16, 4, num_layers=2)",
        "layer(x, h)[1]",
        "torch.randn(8,3,16), torch.randn(2,3,4)",
        "{1: A}, {1: A}",
        "",
    ),
    ("nn.MultiMarginLoss()", "layer(x, y)", "torch.randn(3,4), torch.zeros(3).long()", "{0: A}, {0: B}", RELATED),
    ("nn.MultiMarginLoss()", "layer(x, y)", "torch.randn(3,4), torch.zeros(3).long()", "{0: A}, {0: A}", ""),
    ("nn.MultiLabelMarginLoss()", "layer(x, y)", "torch.randn(3,4), torch.zeros(3,4).long()", "{1: A}, None", FIXED),
    ("nn.MultiLabelSoftMarginLoss()", "layer(x, y)", "torch.randn(3,4), torch.rand(3,4)", "{1: A}, {1: B}", RELATED),
    (
        "nn.CrossEntropyLoss()",
        "layer(x, y)",
        "torch.randn(2,4,5,5,2), torch.zeros(2,5,5,2).long()",
        "{2: A}, {1: B}",
        RELATED,
    ),
    (
        "nn.CrossEntropyLoss()",
        "layer(x, y)",
        "torch.randn(2,4,5,5,2), torch.zeros(2,5,5,2).long()",
        "{2: A}, {1: A}",
        "",
    ),
    ("nn.Conv2d(4, 8, 3)", "layer(x)", "torch.randn(4,9,9)", "{0: A}", FIXED),
    ("nn.Conv2d(4, 8, 3, padding=1)", "layer(x) + torch.ones(8, 1, 1)", "torch.randn(4,9,9)", "{1: A}", ""),
    ("nn.MaxPool2d(2)", "layer(x).flatten(1) + torch.ones(4, 1)", "torch.randn(4,8,8)", "{0: A}", FIXED),
    ("nn.GRUCell(16, 4)", "layer(x, h)", "torch.randn(2,16), torch.randn(2,4)", "{0: A}, {0: B}", RELATED),
    ("nn.GRUCell(16, 4)", "layer(x, h)", "torch.randn(2,16), torch.randn(2,4)", "{0: A, 1: B}, {0: A}", FIXED),
    (
        "nn.LSTMCell(16, 4)",
        "layer(x, (h, c))[0]",
        "torch.randn(2,16), torch.randn(2,4), torch.randn(2,4)",
        "{0: A}, {0: B}, {0: C}",
        RELATED,
    ),
    ("nn.RNNCell(16, 4)", "layer(x, h)", "torch.randn(2,16), torch.randn(2,4)", "{0: A}, {0: A, 1: B}", FIXED),
    ("nn.MSELoss()", "layer(x, y)", "torch.randn(4,6), torch.randn(4,6)", "{0: A}, {0: B}", RELATED),
    ("nn.CrossEntropyLoss()", "layer(x, y)", "torch.randn(4,6), torch.randint(0, 4, (4,))", "{0: A}, {0: B}", RELATED),
    (
        "nn.CrossEntropyLoss(ignore_index=-1)",
        "layer(x, y)",
        "torch.randn(4,6), torch.randint(0, 4, (4,))",
        "{0: A}, {0: A}",
        "",
    ),
    (
        "nn.TripletMarginLoss()",
        "layer(x, y, z)",
        "torch.randn(4,6), torch.randn(4,6), torch.randn(4,6)",
        "{0: A}, {0: B}, {0: C}",
        RELATED,
    ),
    ("nn.L1Loss()", "layer(x, y)", "torch.randn(4,6), torch.randn(4,6)", "{0: A}, {1: B}", FIXED),
    (
        'nn.SmoothL1Loss(reduction="none")',
        "layer(x, y).mean(-1)",
        "torch.randn(4,6), torch.randn(4,6)",
        "{0: A, 1: B}, {0: A, 1: C}",
        RELATED,
    ),
    (
        "nn.BCEWithLogitsLoss()",
        "layer(x, y.sigmoid())",
        "torch.randn(4,6), torch.randn(4,6)",
        "{0: A}, {0: B}",
        RELATED,
    ),
    (
        "nn.NLLLoss()",
        "layer(x.log_softmax(-1), y)",
        "torch.randn(4,6), torch.randint(0, 4, (4,))",
        "{0: A}, {0: B}",
        RELATED,
    ),
    (
        'nn.KLDivLoss(reduction="batchmean")',
        "layer(x.log_softmax(-1), y.softmax(-1))",
        "torch.randn(4,6), torch.randn(4,6)",
        "{0: A}, {0: B}",
        RELATED,
    ),
    ("nn.Upsample(scale_factor=2)", "layer(x)[..., 1:, 1:]", "torch.randn(2,3,8,8)", "{0: A, 2: B, 3: C}", ""),
    ("nn.Upsample(size=(8, 8))", "layer(x) + x", "torch.randn(2,3,8,8)", "{0: A, 2: B, 3: C}", FIXED),
    ("nn.Fold((4, 4), 2, stride=2)", "F.unfold(x, 2, stride=2)", "torch.randn(2,3,8,8)", "{0: A, 2: B, 3: C}", RELATED),
    ("nn.Fold((4, 4), 2, stride=2)", "layer(x)", "torch.randn(2,12,4)", "{0: A, 1: B}", RELATED),
    ("nn.Unfold(2, stride=2)", "layer(x)", "torch.randn(2,3,8,8)", "{0: A, 2: B, 3: C}", RELATED),
    ("nn.MaxPool1d(2)", "layer(x)", "torch.randn(2,3,9)", "{0: A, 2: B}", "EDB304"),
    ("nn.Conv2d(4, 4, 3, groups=4)", "layer(x)", "torch.randn(2,4,8,8)", "{0: A, 1: B}", FIXED),
    ("nn.ConvTranspose1d(4, 2, 3)", "layer(x)", "torch.randn(2,4,8)", "{0: A, 1: B}", FIXED),
    ("nn.Softmax2d()", "layer(x)", "torch.randn(2,4,8)", "{0: A, 1: B, 2: C}", ""),
    (
        "nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.LayerNorm(8))",
        "layer(x)",
        "torch.randn(2,8,16)",
        "{0: A, 1: B, 2: C}",
        FIXED,
    ),
]
# The same of views.
VIEWS = [
    (
        "x.reshape(x.size(0), 4, x.size(2) // 2, 2, x.size(3) // 2, 2)",
        "torch.randn(2, 4, 8, 12)",
        "{2: A, 3: B}",
        RELATED,
    ),
    (
        "x.reshape(x.size(0), 4, x.size(2) // 2, 2, x.size(3) // 2, 2)",
        "torch.randn(2, 4, 8, 12)",
        "{2: 2 * A, 3: 2 * B}",
        "",
    ),
    (
        "F.pad(x, (0, -x.size(2) % 4, 0, -x.size(1) % 4)).view(x.size(0), (x.size(1) + -x.size(1) % 4) // 4, 4, -1)",
        "torch.randn(2, 10, 10)",
        "{0: A, 1: B, 2: C}",
        RELATED,
    ),
    (
        "torch.index_put(x, (y,), z)",
        "torch.randn(5, 8), torch.arange(3), torch.randn(3, 8)",
        "None, {0: A}, {0: B}",
        "",
    ),
    (
        "F.scaled_dot_product_attention(x, y, y)",
        "torch.randn(2,4,8,16), torch.randn(2,4,5,16)",
        "{0: A, 2: B}, {0: C, 2: D}",
        RELATED,
    ),
    (
        "F.scaled_dot_product_attention(x, y, y, attn_mask=m)",
        "torch.randn(2,4,8,16), torch.randn(2,4,5,16), torch.rand(8,5) > 0",
        "{0: A, 2: B}, {0: A, 2: C}, {0: D, 1: E}",
        RELATED,
    ),
    (
        "F.scaled_dot_product_attention(x, y, y, attn_mask=m)",
        "torch.randn(2,4,8,16), torch.randn(2,4,5,16), torch.rand(2,1,8,5) > 0",
        "{0: A, 2: B}, {0: A, 2: C}, {0: D, 2: B, 3: C}",
        RELATED,
    ),
    (
        "F.scaled_dot_product_attention(x, y, z)",
        "torch.randn(2,4,8,16), torch.randn(2,4,5,16), torch.randn(2,4,5,16)",
        "{0: A}, {0: A, 2: B}, {2: C}",
        FIXED,
    ),
    ("F.group_norm(x, 4)", "torch.randn(2,8,16,16)", "{0: A, 1: B, 2: C}", RELATED),
    ("F.instance_norm(x)", "torch.randn(2,8,16,16)", "{0: A, 1: B, 2: C}", ""),
    ("F.layer_norm(x, x.shape[-1:])", "torch.randn(2,8,16)", "{0: A, 1: B, 2: C}", ""),
    ("F.glu(x, -1)", "torch.randn(2,8)", "{0: A, 1: B}", RELATED),
    (
        "y.transpose(0, 1).reshape(y.size(1), x.size(0) * 4, 4)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A}, {0: B, 1: C}",
        "",
    ),
    (
        "y.transpose(0, 1).contiguous().view(y.size(1), x.size(0) * 4, 4)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A}, {0: B, 1: C}",
        "",
    ),
    ("y.view(x.size(0) * 4, y.size(1), 4)", "torch.randn(2,8,16), torch.randn(2,5,16)", "{0: A}, {0: B, 1: C}", ""),
    ("y.view(y.size(1), x.size(0), 16)", "torch.randn(2,8,16), torch.randn(2,5,16)", "{0: A}, {0: B, 1: C}", RELATED),
    ("y.view(x.size(0), y.size(1), 16)", "torch.randn(2,8,16), torch.randn(2,5,16)", "{0: A}, {0: B, 1: C}", RELATED),
    (
        "y.reshape(x.size(0), y.size(1), 4, 4)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A}, {0: B, 1: C}",
        RELATED,
    ),
    ("y.reshape(x.size(0) * y.size(1), 16)", "torch.randn(2,8,16), torch.randn(2,5,16)", "{0: A}, {0: B, 1: C}", ""),
    (
        "y.reshape(x.size(0), y.size(1), -1)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A}, {0: B, 1: C, 2: D}",
        RELATED,
    ),
    (
        "y.reshape(y.size(0), x.size(0), 16)",
        "torch.randn(2,8,16), torch.randn(5,2,16)",
        "{0: A}, {0: B, 1: C}",
        RELATED,
    ),
    (
        "y.reshape(y.size(0), x.size(0) * 16)",
        "torch.randn(2,8,16), torch.randn(5,2,16)",
        "{0: A}, {0: B, 1: C}",
        RELATED,
    ),
    (
        "y.reshape(y.size(0), x.size(0), 16) + x[:, 0]",
        "torch.randn(2,8,16), torch.randn(5,2,16)",
        "{0: A, 1: B}, {0: C, 1: D}",
        RELATED,
    ),
    ("y.reshape(5, x.size(0) * 4, 4)", "torch.randn(2,8,16), torch.randn(5,2,16)", "{0: A}, {1: B}", RELATED),
    (
        "y.view(x.size(0), y.size(1), 16).sum(1) + y.sum(1)",
        "torch.randn(2,8,16), torch.randn(2,5,16)",
        "{0: A, 1: B}, {0: C, 1: D}",
        RELATED,
    ),
    ("y.transpose(0, 1).reshape(y.size(1), 8, 4)", "torch.randn(2,5,16)", "{0: A, 1: B}", FIXED),
    ("y.reshape(2 * y.size(1), 16)", "torch.randn(2,5,16)", "{0: A, 1: B}", FIXED),
    ("y.reshape(2, y.size(1), 16)", "torch.randn(2,5,16)", "{0: A, 1: B}", FIXED),
    ("y.reshape(8, y.size(1), 4)", "torch.randn(2,5,16)", "{0: A, 1: B}", FIXED),
    ("y.reshape(y.size(1), 32)", "torch.randn(2,5,16)", "{0: A, 1: B}", FIXED),
    ("y.reshape(-1, y.size(1), 8)", "torch.randn(2,5,16)", "{0: A, 1: B}", ""),
    ("y.reshape(-1, 2 * y.size(1), 8)", "torch.randn(2,5,16)", "{0: A, 1: B}", ""),
    ("x.reshape(-1) + y.reshape(-1)", "torch.randn(2,5), torch.randn(2,5)", "{0: A, 1: B}, {0: C, 1: D}", ""),
    ("x.reshape(-1) + y.reshape(-1)", "torch.randn(2,5), torch.randn(2,5)", "{0: A, 1: B}, {0: A, 1: C}", ""),
    ("x.flatten() + y", "torch.randn(2,5), torch.randn(10)", "{0: A, 1: B}, {0: C}", ""),
    ("x.flatten() + y", "torch.randn(2,5), torch.randn(10)", "{0: A}, {0: B}", RELATED),
    ("x.reshape(y.size(0) * y.size(1))", "torch.randn(2,5), torch.randn(2,5)", "{0: A, 1: B}, {0: C, 1: D}", ""),
    ("x.reshape(y.size(0) * y.size(1))", "torch.randn(2,5), torch.randn(2,5)", "{0: A, 1: B}, {0: A, 1: C}", ""),
    ("y.view(x.shape)", "torch.randn(2,5), torch.randn(10)", "{0: A, 1: B}, {0: C}", ""),
    ("y.view(x.shape)", "torch.randn(2,5), torch.randn(10)", "{0: A}, {0: B}", RELATED),
    ("y.view(x.shape)", "torch.randn(2,5), torch.randn(10)", "{1: A}, {0: B}", RELATED),
    ("x.flatten(0, 1) * y", "torch.randn(2,5,3), torch.randn(10,3)", "{0: A, 1: B}, {0: C}", ""),
    ("x.flatten(0, 1) * y.flatten(0, 1)", "torch.randn(2,5,3), torch.randn(2,5,3)", "{0: A, 1: B}, {0: C, 1: D}", ""),
    ("x.flatten(0, 1) * y.flatten(0, 1)", "torch.randn(2,5,3), torch.randn(2,5,3)", "{0: A, 1: B}, {0: C, 1: B}", ""),
    ("x.flatten(0, 1).view(2, x.size(1), 3)", "torch.randn(2,5,3)", "{0: A, 1: B}", FIXED),
    ("x.view(x.size(0) * 2, x.size(1), 2)", "torch.randn(2,5,4)", "{0: A, 1: B}", ""),
    ("x.view(y.size(0) * 2, x.size(1), 2)", "torch.randn(2,5,4), torch.randn(2,5,4)", "{0: A, 1: B}, {0: C}", ""),
    ("x.view(y.size(0) * 2, x.size(1), 2)", "torch.randn(2,5,4), torch.randn(2,5,4)", "{0: A}, {0: B}", RELATED),
    ("x.view(y.size(0), 2, -1)", "torch.randn(2,5,4), torch.randn(2,5,4)", "{0: A, 1: B}, {0: C}", RELATED),
    ("x.view(y.size(0), x.size(1) * 2, 2)", "torch.randn(2,5,4), torch.randn(2,5,4)", "{0: A, 1: B}, {0: C}", RELATED),
]


@pytest.mark.parametrize(("layer", "body", "args", "dims", "code"), LAYERS)
def test_a_layer(
    request: pytest.FixtureRequest, check_text: Checker, layer: str, body: str, args: str, dims: str, code: str
) -> None:
    check(request, check_text, (layer, body.replace("layer(", "self.layer("), args, dims), code)


@pytest.mark.parametrize(("body", "args", "dims", "code"), VIEWS)
def test_a_view(
    request: pytest.FixtureRequest, check_text: Checker, body: str, args: str, dims: str, code: str
) -> None:
    check(request, check_text, ("nn.Identity()", body, args, dims), code)


def check(
    request: pytest.FixtureRequest,
    check_text: Checker,
    program: tuple[str, str, str, str],
    code: str,
    imports: str = "",
) -> None:
    """What check says of a program, and whether it exports."""
    layer, body, args, dims = program
    names = sorted(set(re.findall(r"\b[xyzmhce]\b(?!=)", re.sub(r'"[^"]*"', "", body))), key="xyzhmce".index)
    source = imports + PROGRAM.format(layer=layer, names=", ".join(names), body=body, args=args, dims=dims)
    assert codes(check_text, source) == ({code} if code else set())
    prove(request, source, not code)
