import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeRangeUnbacked(torch.nn.Module):
    """A branch that the declared range of an unbacked input size decides."""

    def forward(self, x):
        if x.shape[0] > 2:
            return x[2:]
        return x


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows", min=3, max=64), None])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = ShapeRangeUnbacked()
twin = "shape_assert_named_ok"
