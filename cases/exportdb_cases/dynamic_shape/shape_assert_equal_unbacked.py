import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeAssertEqualUnbacked(torch.nn.Module):
    """An assert that leaves one value to an unbacked input size specializes it without a word."""

    def forward(self, x):
        assert x.shape[0] == 4
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = ShapeAssertEqualUnbacked()
twin = "shape_assert_named_ok"
