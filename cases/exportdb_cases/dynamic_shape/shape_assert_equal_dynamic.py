import torch


class ShapeAssertEqualDynamic(torch.nn.Module):
    """An assert that a size is one number, under `Dim.DYNAMIC`."""

    def forward(self, x):
        assert x.shape[0] == 4
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.assert"}
model = ShapeAssertEqualDynamic()
twin = "shape_assert_named_ok"
