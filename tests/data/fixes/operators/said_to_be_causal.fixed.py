"""Transformers that are given their masks on lines of their own."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1)
        self.register_buffer("mask", torch.zeros(4, 4))

    def forward(self, x):
        y = self.encoder(
            src=x,
            mask=self.mask,
            is_causal=False
        )
        return self.encoder(
            y,  # what was seen
            self.mask,  # what may be seen
            is_causal=False,
        )


inputs = [(torch.randn(2, 4, 8),), (torch.randn(2, 4, 8),)]
# mended: EDB105
