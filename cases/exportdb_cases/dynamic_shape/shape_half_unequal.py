import torch


class ShapeHalfUnequal(torch.nn.Module):
    """What was halved and doubled is fitted to the input where the size was odd: the program takes odd sizes only."""

    def forward(self, x):
        half = torch.nn.functional.avg_pool1d(x, 2)
        y = torch.nn.functional.interpolate(half, scale_factor=2.0)
        if y.shape[2] != x.shape[2]:
            y = torch.nn.functional.interpolate(half, size=x.shape[2])
        return x + y


example_args = (torch.randn(1, 2, 7),)
dynamic_shapes = {"x": {2: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeHalfUnequal()
