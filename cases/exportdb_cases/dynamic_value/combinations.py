import torch


class Combinations(torch.nn.Module):
    """`torch.combinations` selects by a mask inside, and leaves a size that nothing returns."""

    def forward(self, x):
        return torch.combinations(x)


example_args = (torch.randn(4),)
tags = {"torch.dynamic-value"}
model = Combinations()
