# expected: non-strict crash, strict crash
"""Takes the process down."""

import os
import signal

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        os.kill(os.getpid(), signal.SIGSEGV)  # here
        return x


model = Net()
example_args = (torch.randn(2, 3),)
