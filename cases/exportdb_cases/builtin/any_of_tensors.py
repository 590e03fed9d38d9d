import torch


class AnyOfTensors(torch.nn.Module):
    """The builtin `any` asks each element for its truth value."""

    def forward(self, x):
        found = any(value > 0 for value in x)
        return x * found


example_args = (torch.randn(4),)
tags = {"python.builtin", "torch.dynamic-value"}
model = AnyOfTensors()
