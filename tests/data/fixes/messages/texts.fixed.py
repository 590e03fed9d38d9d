"""Checks whose messages are texts, of what tracing decides and of what it does not."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.width = width

    def forward(self, x, n):
        torch._check(x.shape[-1] == self.width)
        count = n.item()
        torch._check(count >= 1)
        torch._check_value(count < 9)
        return x * count


model = Net()
example_args = (torch.randn(3, 4), torch.tensor(2))
inputs = [(torch.ones(3, 4), torch.tensor(5)), (torch.ones(3, 4) * 2, torch.tensor(1))]
# mended: EDB107
