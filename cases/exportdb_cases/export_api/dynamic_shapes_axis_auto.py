import torch


class DynamicShapesAxisAuto(torch.nn.Module):
    """An index in `dynamic_shapes` that the tensor does not have: without a name for it nothing is said, and nothing is dynamic."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": {2: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesAxisAuto()
twin = "export_arguments_ok"
