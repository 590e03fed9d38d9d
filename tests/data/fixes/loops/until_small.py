"""A loop whose test looks at the element that a tensor picks."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, k):
        rounds = 0
        while x[k] > 0 and rounds < 10:
            x = x * 0.5 - 0.2
            rounds += 1
        return x


example_args = (torch.rand(4), torch.tensor(2))
model = Net()
inputs = [
    (torch.tensor([2.0, -1.0, 0.5, 3.0]), torch.tensor(0)),
    (torch.tensor([-2.0, 4.0, 0.5, 1.0]), torch.tensor(1)),
    (torch.tensor([-2.0, -1.0, -0.5, 2.0]), torch.tensor(2)),
]
# mended: EDB101
