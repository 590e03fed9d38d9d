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
        each = self.loss(mean, y, var)
        total = F.gaussian_nll_loss(mean, y, var.square(), eps=1e-3)
        return each, total


# exportdb: args=(torch.ones(4, 3), torch.ones(4, 2))
inputs = [
    (torch.linspace(-1, 1, 12).view(4, 3), torch.ones(4, 2)),
    (torch.linspace(1, 0, 12).view(4, 3), torch.zeros(4, 2)),
    (torch.full((4, 3), 50.0), torch.zeros(4, 2)),
]
# refused: 19 reads-data, 20 reads-data
