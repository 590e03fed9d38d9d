import torch


class ShapeAssertNamed(torch.nn.Module):
    """An assert on a size under a named Dim."""

    def forward(self, x):
        assert x.shape[0] <= 64
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.assert"}
model = ShapeAssertNamed()
twin = "shape_assert_named_ok"
