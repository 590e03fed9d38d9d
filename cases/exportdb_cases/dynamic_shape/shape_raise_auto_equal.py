import torch


class ShapeRaiseAutoEqual(torch.nn.Module):
    """A raise unless a size is one number, under Dim.AUTO: the size is frozen at it."""

    def forward(self, x):
        if x.shape[0] != 4:
            raise ValueError("four rows are needed")
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeRaiseAutoEqual()
twin = "shape_raise_ok"
