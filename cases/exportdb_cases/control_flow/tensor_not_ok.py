import torch


class TensorNotOk(torch.nn.Module):
    """`torch.logical_not` is an operator of the graph, `not` is a branch."""

    def forward(self, x):
        negative = torch.logical_not(x.sum() > 0)
        return x * negative


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorNotOk()
