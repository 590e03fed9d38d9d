import torch


class MaxTensors(torch.nn.Module):
    """The builtin `max` of two tensors compares them and asks for the truth value."""

    def forward(self, x):
        return x * max(x.sum(), x.mean())


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = MaxTensors()
