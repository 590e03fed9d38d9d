import torch


class DynamicShapesAxis(torch.nn.Module):
    """A named dimension at an index that the tensor does not have."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": {2: torch.export.Dim("depth")}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesAxis()
twin = "export_arguments_ok"
