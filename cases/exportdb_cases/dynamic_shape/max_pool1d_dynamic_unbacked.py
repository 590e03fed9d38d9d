import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class MaxPool1dDynamicUnbacked(torch.nn.Module):
    """`max_pool1d` over an unbacked length."""

    def __init__(self):
        super().__init__()
        self.pool = torch.nn.MaxPool1d(2)

    def forward(self, x):
        return self.pool(x)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([None, None, ShapeVar("time")])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = MaxPool1dDynamicUnbacked()
twin = "dim_minimum_ok"
