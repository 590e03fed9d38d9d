import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class DimMinimumUnbacked(torch.nn.Module):
    """A slice of a tensor of an unbacked size."""

    def __init__(self):
        super().__init__()
        self.pool = torch.nn.AvgPool1d(2)

    def forward(self, x):
        return self.pool(x)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([None, None, ShapeVar("time")])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = DimMinimumUnbacked()
twin = "dim_minimum_ok"
