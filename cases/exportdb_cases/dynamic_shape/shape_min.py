import torch


class ShapeMin(torch.nn.Module):
    """The builtin `min` of a size and a number is a branch."""

    def forward(self, x):
        return x.sum() * min(x.shape[0], 4)


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = ShapeMin()
