"""A bias by distance that is kept for shorter sequences, and read where it was just registered."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, heads=2):
        super().__init__()
        self.heads = heads
        self.register_buffer("bias", None, persistent=False)

    def forward(self, scores):
        i, j = scores.shape[-2:]
        if self.bias is not None and self.bias.shape[-1] >= j:
            return scores + self.bias[:, -i:, -j:]

        distance = (torch.arange(j)[None, :] - torch.arange(j)[:, None]).abs()
        slopes = 2.0 ** -torch.arange(1, self.heads + 1)
        bias = -distance * slopes[:, None, None]
        self.register_buffer("bias", bias, persistent=False)
        return scores + self.bias[:, -i:, -j:]


inputs = [(torch.randn(2, 3, 3),), (torch.ones(2, 3, 3),)]
# mended: EDB405
