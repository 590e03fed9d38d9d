import torch


class ShapeRaiseEqualDynamic(torch.nn.Module):
    """A raise unless a size is one number, under Dim.DYNAMIC: the size is frozen at it."""

    def forward(self, x):
        if x.shape[0] != 4:
            raise ValueError("four rows are needed")
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeRaiseEqualDynamic()
twin = "shape_raise_ok"
