"""A head that predicts a mean and a variance, and what it says of how far off it is."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 2)
        self.spread = nn.Linear(3, 2)
        self.loss = nn.GaussianNLLLoss(full=True, reduction="none")

    def forward(self, x, y):
        mean = self.mean(x)
        # May be negative where the head is badly off: then the loss raises.
        var = self.spread(x) + 2
        assert var.shape == mean.shape, "var is of incorrect size"
        torch._assert_async(~(var < 0).any(), "var has negative entry/entries")
        bounded = var.clone()
        with torch.no_grad():
            bounded.clamp_(min=1e-06)
        each = 0.5 * (bounded.log() + (mean - y) ** 2 / bounded) + 0.9189385332046727
        var_2 = var.square()
        assert var_2.shape == mean.shape, "var is of incorrect size"
        torch._assert_async(~(var_2 < 0).any(), "var has negative entry/entries")
        bounded_2 = var_2.clone()
        with torch.no_grad():
            bounded_2.clamp_(min=1e-3)
        total = (0.5 * (bounded_2.log() + (mean - y) ** 2 / bounded_2)).mean()
        return each, total


# exportdb: args=(torch.ones(4, 3), torch.ones(4, 2))
inputs = [
    (torch.linspace(-1, 1, 12).view(4, 3), torch.ones(4, 2)),
    (torch.linspace(1, 0, 12).view(4, 3), torch.zeros(4, 2)),
    (torch.full((4, 3), 50.0), torch.zeros(4, 2)),
]
# mended: EDB209
