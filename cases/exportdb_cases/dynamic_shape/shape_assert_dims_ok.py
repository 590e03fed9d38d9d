import torch


class ShapeAssertDimsOk(torch.nn.Module):
    """An assert of the order of two named Dims: the exported program refuses what eager refuses, and neither is narrowed."""

    def forward(self, x, y):
        assert x.shape[0] >= y.shape[0]
        return x.sin(), y.sin()


example_args = (torch.randn(5, 2), torch.randn(4, 2))
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}, "y": {0: torch.export.Dim("others")}}
tags = {"torch.dynamic-shape", "python.assert"}
model = ShapeAssertDimsOk()
