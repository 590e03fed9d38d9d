# expected: non-strict out-of-memory, strict out-of-memory
"""Asks for more than it may have."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + torch.ones(1 << 34)[:3]  # here


model = Net()
example_args = (torch.randn(2, 3),)
