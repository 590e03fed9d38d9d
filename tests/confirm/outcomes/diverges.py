# expected: non-strict diverges, strict fails
"""A number that differs from call to call is frozen."""

import random

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * random.random()  # here


model = Net()
example_args = (torch.ones(2, 3),)
