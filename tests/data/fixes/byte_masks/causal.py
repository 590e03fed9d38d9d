"""Attention with a causal mask of uint8, as GPT-2 had it, and rows that a mask of uint8 picks."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.key, self.query, self.value = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        scores = self.query(x) @ self.key(x).transpose(-2, -1)
        mask = torch.tril(torch.ones_like(scores)).to(torch.uint8)
        weights = torch.where(mask, scores, torch.full_like(scores, -1e4)).softmax(-1)
        y = weights @ self.value(x)
        return y, y[(y[..., 0] > 0).byte()].sum(0), y.where((y > 0).byte(), -y)


inputs = [(torch.randn(2, 3, 4),), (torch.zeros(2, 3, 4),), (-torch.ones(2, 3, 4),)]
# mended: EDB211
