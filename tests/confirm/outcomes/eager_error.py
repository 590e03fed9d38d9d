# expected: non-strict eager-error, strict eager-error
"""Does not run at all."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x @ torch.ones(5, 5)  # here


model = Net()
example_args = (torch.randn(2, 3),)
