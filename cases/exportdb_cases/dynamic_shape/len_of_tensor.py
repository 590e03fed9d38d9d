import torch


class LenOfTensor(torch.nn.Module):
    """`len(x)` must be a Python int: non-strict needs the number."""

    def forward(self, x):
        return x.sum(0) / len(x)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = LenOfTensor()
