from functools import cached_property

import torch


class CachedPropertyRead(torch.nn.Module):
    """A `cached_property` takes a lock before Python 3.12."""

    @cached_property
    def steps(self):
        return torch.arange(2.0)

    def forward(self, x):
        return x + self.steps


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = CachedPropertyRead()
