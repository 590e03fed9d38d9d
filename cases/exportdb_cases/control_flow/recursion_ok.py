import torch


def power(x, n):
    return x if n == 0 else power(x, n - 1) * x


class RecursionOk(torch.nn.Module):
    """Recursion over a Python number is unrolled."""

    def forward(self, x):
        return power(x, 3)


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = RecursionOk()
