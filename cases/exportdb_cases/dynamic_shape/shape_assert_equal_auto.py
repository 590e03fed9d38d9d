import torch


class ShapeAssertEqualAuto(torch.nn.Module):
    """An assert that a size is one number, under `Dim.AUTO`: the size is frozen at it."""

    def forward(self, x):
        assert x.shape[0] == 4
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.assert"}
model = ShapeAssertEqualAuto()
twin = "shape_assert_named_ok"
