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
        mixed = F.scaled_dot_product_attention(q, k, k, is_causal=True)
        large = x[keep][None, None]
        weighted = F.scaled_dot_product_attention(large, large, value=large * 2, scale=0.5)
        return self.output(mixed.transpose(1, 2).reshape(1, -1, 8)), weighted


model = Net()
example_args = (torch.ones(4, 8), torch.tensor([True, True, False, True]))
inputs = [
    (torch.linspace(-1, 1, 32).view(4, 8), torch.tensor([True, True, False, True])),
    (torch.linspace(1, -2, 32).view(4, 8), torch.tensor([False, True, False, True])),
    (torch.linspace(-1, -2, 32).view(4, 8), torch.tensor([False, False, False, False])),
    (torch.linspace(1, 2, 32).view(4, 8), torch.tensor([True, True, True, True])),
]
# refused: 19 size-from-data, 21 size-from-data
