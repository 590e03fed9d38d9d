import random

import torch


class RandomUsed(torch.nn.Module):
    """A number from Python's random generator is drawn once, while tracing."""

    def forward(self, x):
        return x * random.random()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library", "torch.dynamic-value"}
model = RandomUsed()
issues = ("https://github.com/pytorch/pytorch/issues/102794",)
