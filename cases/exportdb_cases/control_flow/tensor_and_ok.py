import torch


class TensorAndOk(torch.nn.Module):
    """`torch.logical_and` is an operator of the graph, `and` is a branch."""

    def forward(self, x):
        both = torch.logical_and(x.max() > 0, x.min() < 0)
        return x * both


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorAndOk()
