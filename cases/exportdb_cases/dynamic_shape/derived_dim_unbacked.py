import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class DerivedDimUnbacked(torch.nn.Module):
    """Two unbacked input sizes, one of which an operator needs to be larger by a number."""

    def forward(self, x, y):
        return x @ y[1:]


example_args = (torch.randn(4), torch.randn(5))
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("short")]), "y": TensorSpec([ShapeVar("long")])}))
tags = {"torch.dynamic-shape"}
model = DerivedDimUnbacked()
twin = "derived_dim_ok"
