import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeAssertUnbacked(torch.nn.Module):
    """An assert on an unbacked input size becomes a check in the graph."""

    def forward(self, x):
        assert x.shape[0] <= 64
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.assert"}
model = ShapeAssertUnbacked()
twin = "shape_assert_named_ok"
