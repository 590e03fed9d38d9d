"""A loop that follows the largest row, and tests an element that a tensor picks."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = nn.Parameter(torch.tensor(0.5))

    def forward(self, x, k, n):
        while x[k] > 0:
            x = x * self.step - 0.2
        best = x.new_zeros(3)
        y = x.view(1, 3).expand(4, 3) * torch.arange(1.0, 5.0).unsqueeze(1)
        # As long as there is something to gain.
        while best.sum() < n:
            k = (y.sum(1) - best.sum()).argmax()
            best = best + y[k].abs() + 0.1
        return best


inputs = [
    (torch.tensor([2.0, -1.0, 0.5]), torch.tensor(0), torch.tensor(3.0)),
    (torch.tensor([-2.0, 4.0, 0.5]), torch.tensor(1), torch.tensor(9.0)),
    (torch.tensor([-2.0, -1.0, -0.5]), torch.tensor(2), torch.tensor(0.0)),
]
