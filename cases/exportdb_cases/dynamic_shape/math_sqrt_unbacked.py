import math

import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class MathSqrtUnbacked(torch.nn.Module):
    """A function of `math` on an unbacked input size."""

    def forward(self, x):
        return x / math.sqrt(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.standard-library"}
model = MathSqrtUnbacked()
twin = "math_sqrt_ok"
