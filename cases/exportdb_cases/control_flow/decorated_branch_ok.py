import functools

import torch


def finite(function):
    @functools.wraps(function)
    def checked(*args):
        result = function(*args)
        return torch.where(result.isnan().any(), torch.zeros_like(result), result)

    return checked


class DecoratedBranchOk(torch.nn.Module):
    """A decorator whose wrapper computes with `torch.where`."""

    @finite
    def forward(self, x):
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow", "python.closure"}
model = DecoratedBranchOk()
