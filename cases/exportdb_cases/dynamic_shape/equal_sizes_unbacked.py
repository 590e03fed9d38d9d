import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class EqualSizesUnbacked(torch.nn.Module):
    """Two unbacked input sizes that an operator needs to be equal: a check in the graph."""

    def forward(self, x, y):
        return x + y


example_args = (torch.randn(4), torch.randn(4))
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("first")]), "y": TensorSpec([ShapeVar("second")])}))
tags = {"torch.dynamic-shape"}
model = EqualSizesUnbacked()
twin = "equal_sizes_named_ok"
