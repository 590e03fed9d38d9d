import torch


class AllOfTensors(torch.nn.Module):
    """The builtin `all` asks each element for its truth value."""

    def forward(self, x, y):
        if all((x > 0, y > 0)):
            return x + y
        return x - y


example_args = (torch.randn(()), torch.randn(()))
tags = {"python.builtin", "torch.dynamic-value"}
model = AllOfTensors()
