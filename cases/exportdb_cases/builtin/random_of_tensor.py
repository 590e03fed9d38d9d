import random

import torch


class RandomOfTensor(torch.nn.Module):
    """A random generator of Python seeded by a tensor."""

    def forward(self, x, seed):
        generator = random.Random(seed)
        return x * generator.random()


example_args = (torch.randn(3, 2), torch.tensor(3))
tags = {"python.standard-library", "torch.dynamic-value"}
model = RandomOfTensor()
twin = "random_used_ok"
