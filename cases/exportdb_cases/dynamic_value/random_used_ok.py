import torch


class RandomUsedOk(torch.nn.Module):
    """`torch.rand` draws in the graph, anew in every call."""

    def forward(self, x):
        return x * torch.rand(())


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = RandomUsedOk()
