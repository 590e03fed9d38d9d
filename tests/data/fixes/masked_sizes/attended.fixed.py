"""Attention over the tokens that a mask keeps, in two heads, and in one."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, width=8, heads=2):
        super().__init__()
        self.width, self.heads = width, heads
        self.query = nn.Linear(width, width)
        self.output = nn.Linear(width, width)

    def forward(self, x, keep):
        tokens = x[keep]
        q = self.query(tokens).view(1, -1, 2, 4).transpose(1, 2)
        k = tokens.view(1, -1, 2, 4).transpose(1, 2)
        mixed = F.scaled_dot_product_attention(
            q.flatten(0, 1), k.flatten(0, 1), k.flatten(0, 1), is_causal=True
        ).unflatten(0, q.shape[:2])
        large = x[keep][None, None]
        weighted = F.scaled_dot_product_attention(
            large.flatten(0, 1), large.flatten(0, 1), (large * 2).flatten(0, 1), scale=0.5
        ).unflatten(0, large.shape[:2])
        return self.output(mixed.transpose(1, 2).reshape(1, -1, 8)), weighted


model = Net()
example_args = (torch.ones(4, 8), torch.tensor([True, True, False, True]))
inputs = [
    (torch.linspace(-1, 1, 32).view(4, 8), torch.tensor([True, True, False, True])),
    (torch.linspace(1, -2, 32).view(4, 8), torch.tensor([False, True, False, True])),
    (torch.linspace(-1, -2, 32).view(4, 8), torch.tensor([False, False, False, False])),
    (torch.linspace(1, 2, 32).view(4, 8), torch.tensor([True, True, True, True])),
]
# mended: EDB208
