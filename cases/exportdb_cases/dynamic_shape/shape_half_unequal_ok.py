import torch


class ShapeHalfUnequalOk(torch.nn.Module):
    """Neighbours are averaged without a step: there is nothing to fit."""

    def forward(self, x):
        return x + torch.nn.functional.avg_pool1d(x, 3, stride=1, padding=1)


example_args = (torch.randn(1, 2, 7),)
dynamic_shapes = {"x": {2: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = ShapeHalfUnequalOk()
