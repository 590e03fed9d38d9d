import torch


class ShapeMin(torch.nn.Module):
    """The builtin `min` of a size and a number."""

    def forward(self, x):
        return x[: min(x.shape[0], 4)].sum(0)


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = ShapeMin()
