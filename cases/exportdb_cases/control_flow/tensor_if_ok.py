import torch


class TensorIfOk(torch.nn.Module):
    """`torch.cond` puts both sides of a branch on a tensor's value into the graph."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value", "torch.cond"}
model = TensorIfOk()
