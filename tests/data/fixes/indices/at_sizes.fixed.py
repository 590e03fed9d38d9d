"""Elements and columns at sizes, read and written beside other indices."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        batch, steps, width = x.shape
        weight = x.new_zeros(steps, steps)
        weight[steps - 1][0] = 1.0
        weight.select(1, steps - 1)[...] += 0.5  # the last step sees all
        marked = x.new_zeros(batch, steps, width)
        marked.select(1, steps - 1)[:, 1:] = 2.0
        last = self.linear(x).select(1, steps - 1)
        return weight @ x + marked, last * x.select(-2, steps - 1)[..., 0].unsqueeze(-1)


model = Net()
example_args = (torch.randn(2, 5, 4),)
dynamic_shapes = {"x": {0: torch.export.Dim("batch", min=2, max=64), 1: torch.export.Dim("steps", min=2, max=64)}}
inputs = [(torch.linspace(-1, 1, 40).view(2, 5, 4),), (torch.linspace(0, 1, 84).view(3, 7, 4),)]
torch.manual_seed(0)
# mended: EDB304
