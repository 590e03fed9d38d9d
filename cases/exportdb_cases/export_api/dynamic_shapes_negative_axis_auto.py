import torch


class DynamicShapesNegativeAxisAuto(torch.nn.Module):
    """A dimension that is counted from the end: it stays static, and nothing is said."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": {-1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesNegativeAxisAuto()
twin = "export_arguments_ok"
