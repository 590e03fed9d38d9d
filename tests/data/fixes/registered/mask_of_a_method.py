"""A causal mask that a method makes and keeps."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", None, persistent=False)

    def get_mask(self, n, device):
        if self.mask is not None and self.mask.shape[-1] >= n:
            return self.mask[:n, :n]

        mask = torch.ones((n, n), device=device, dtype=torch.bool).triu(1)
        self.register_buffer("mask", mask, persistent=False)
        return mask

    def forward(self, x):
        scores = x @ x.transpose(-2, -1)
        mask = self.get_mask(x.shape[-2], x.device)
        return scores.masked_fill(mask, float("-inf")).softmax(-1) @ x


inputs = [(torch.randn(3, 2),), (torch.ones(3, 2),)]
# mended: EDB405
