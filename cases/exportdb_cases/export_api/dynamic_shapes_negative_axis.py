import torch


class DynamicShapesNegativeAxis(torch.nn.Module):
    """A named dimension that is counted from the end."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": {-1: torch.export.Dim("columns")}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesNegativeAxis()
twin = "export_arguments_ok"
