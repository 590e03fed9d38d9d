import torch


class ShapeAssertAuto(torch.nn.Module):
    """An assert on a size under Dim.AUTO narrows the range to what is allowed."""

    def forward(self, x):
        assert x.shape[0] <= 64
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.assert"}
model = ShapeAssertAuto()
twin = "shape_assert_named_ok"
