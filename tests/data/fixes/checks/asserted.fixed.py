"""Asserts on tensors, with and without message, negated, combined."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 2)

    def forward(self, x, mask):
        torch._assert_async(x.sum() > 0, "empty")
        torch._assert_async(~torch.isnan(x).any(), "NaN in the input")
        torch._assert_async(
            mask.any() & (x.max() < 100), "nothing is selected, or too large"
        )
        torch._assert_async((0 <= mask.sum()) & (mask.sum() <= 4))
        return self.out(x * mask)


x, mask = torch.ones(2, 3), torch.tensor([True, False, True])
inputs = [(x, mask), (-x, mask), (x * torch.nan, mask), (x, ~(mask | True)), (x * 100, mask)]
# mended: EDB102
