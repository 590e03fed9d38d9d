"""A loss that is not finite is refused."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 2)

    def forward(self, x, target):
        y = self.lin(x)
        loss = ((y - target) ** 2).mean()
        torch._assert_async(torch.isfinite(loss), "the loss is not finite")
        return loss, y


inputs = [
    (torch.ones(2, 3), torch.zeros(2, 2)),
    (torch.ones(2, 3), torch.full((2, 2), float("inf"))),
    (-torch.ones(2, 3), torch.zeros(2, 2)),
]
# mended: EDB104
