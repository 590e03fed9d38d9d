import functools

import torch


class PartialOk(torch.nn.Module):
    """`functools.partial` is called while tracing."""

    def __init__(self):
        super().__init__()
        self.scaled = functools.partial(torch.mul, other=2)

    def forward(self, x):
        return self.scaled(x)


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = PartialOk()
