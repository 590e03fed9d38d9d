import functools

import torch


def plus_one(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) + 1

    return wrapper


class Decorator(torch.nn.Module):
    """A decorated forward is traced through its wrapper."""

    @plus_one
    def forward(self, x, y):
        return x + y


example_args = (torch.randn(3, 2), torch.randn(3, 2))
tags = {"python.object-model"}
model = Decorator()
exportdb_case = "decorator"
