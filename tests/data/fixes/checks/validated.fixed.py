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
        torch._assert_async(~(probs < 0).any(), "negative probability")
        torch._assert_async(
            torch.isfinite(probs).all(), "not finite, or beyond the limit"
        )
        if self.strict:
            torch._assert_async(~(probs.sum() > self.limit), "the sum is " "too large")  # too much
        torch._assert_async(~(index.max() >= probs.shape[-1]), "index out of range")
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
