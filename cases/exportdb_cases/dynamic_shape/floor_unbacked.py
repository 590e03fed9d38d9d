import math

import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class FloorUnbacked(torch.nn.Module):
    """`math.floor` of an unbacked input size as a bound."""

    def forward(self, x):
        return x[: math.floor(x.shape[0] / 2)]


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.standard-library"}
model = FloorUnbacked()
twin = "floor_dynamic_ok"
