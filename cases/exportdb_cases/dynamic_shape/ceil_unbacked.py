import math

import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class CeilUnbacked(torch.nn.Module):
    """`math.ceil` of an unbacked input size as a bound."""

    def forward(self, x):
        return x[: math.ceil(x.shape[0] / 2)]


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.standard-library"}
model = CeilUnbacked()
twin = "floor_dynamic_ok"
