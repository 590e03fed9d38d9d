"""Checks on `.item()` values and on the size of a selection."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, lengths):
        longest = lengths.max().item()
        torch._assert_scalar(torch.sym_not(longest < 1), "an empty sequence")
        if x.dim() != 2:
            raise ValueError("wrong rank")
        assert longest <= 8
        chosen = x[x > 0]
        torch._assert_scalar(chosen.numel() != 0, "nothing is positive")
        return torch.zeros(longest).sum() + chosen.mean()


x = torch.ones(2, 3)
inputs = [
    (x, torch.tensor([3, 4])),
    (x, torch.tensor([0, 0])),
    (x, torch.tensor([3, 9])),
    (-x, torch.tensor([3, 4])),
]
# mended: EDB103
