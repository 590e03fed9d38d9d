import torch


class MaxTensorsOk(torch.nn.Module):
    """`torch.maximum` does the same in the graph."""

    def forward(self, x):
        return x * torch.maximum(x.sum(), x.mean())


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = MaxTensorsOk()
