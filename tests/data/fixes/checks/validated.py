"""Raises guarded by tensors: plain, with `not`, with a flag, as a chain of elifs."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, limit=10.0, strict=True):
        super().__init__()
        self.limit = limit
        self.strict = strict

    def forward(self, probs, index):
        # Probabilities only.
        if (probs < 0).any():
            raise ValueError("negative probability")
        if not torch.isfinite(probs).all():
            raise ValueError(f"not finite, or beyond the limit")
        if self.strict and probs.sum() > self.limit:  # too much
            raise RuntimeError("the sum is " "too large")
        if index.max() >= probs.shape[-1]:
            raise IndexError("index out of range")
        return probs.cumsum(-1)


good, index = torch.rand(2, 3), torch.tensor([0, 2])
inputs = [
    (good, index),
    (-good, index),
    (good / 0, index),
    (good * 1000, index),
    (good, index + 1),
]
# mended: EDB104
