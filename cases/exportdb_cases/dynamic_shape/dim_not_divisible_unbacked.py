import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class DimNotDivisibleUnbacked(torch.nn.Module):
    """A view that needs an unbacked input size to be a multiple."""

    def forward(self, x):
        return x.view(x.shape[0] // 4, 4, 2).sum(1)


example_args = (torch.randn(8, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape"}
model = DimNotDivisibleUnbacked()
twin = "dim_not_divisible_ok"
