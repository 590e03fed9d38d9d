import torch


class ShapeRaiseAuto(torch.nn.Module):
    """A raise guarded by a size under Dim.AUTO narrows the range to what is allowed."""

    def forward(self, x):
        if x.shape[0] > 64:
            raise ValueError("at most 64 rows")
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeRaiseAuto()
twin = "shape_assert_named_ok"
