"""Encodings of positions that are registered with a comment, within a branch."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", None)

    def encodings(self, x):
        table = self.table
        if table is None or table.shape[0] < x.shape[0]:
            steps = torch.arange(x.shape[0], dtype=x.dtype)[:, None]
            table = torch.sin(steps * torch.arange(1, x.shape[1] + 1))
            # Longer inputs are rare: it is made once.
            self.register_buffer("table", table)
        return table[: x.shape[0]]

    def forward(self, x):
        return x + self.encodings(x)


inputs = [(torch.randn(3, 2),), (torch.ones(3, 2),)]
# mended: EDB405
