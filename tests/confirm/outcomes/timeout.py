# expected: non-strict timeout, strict timeout
"""Never ends."""

import time

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        while True:
            time.sleep(0.1)  # here


model = Net()
example_args = (torch.randn(2, 3),)
