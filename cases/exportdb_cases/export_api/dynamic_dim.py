import torch
from torch.export import dynamic_dim


class DynamicDim(torch.nn.Module):
    """`torch.export.dynamic_dim` was replaced by `Dim`."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
constraints = [dynamic_dim(example_args[0], 0)]
tags = {"torch.dynamic-shape"}
model = DynamicDim()
twin = "size_two_ok"
