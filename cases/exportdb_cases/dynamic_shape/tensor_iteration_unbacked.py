import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class TensorIterationUnbacked(torch.nn.Module):
    """Iterating over a tensor whose first size is unbacked."""

    def forward(self, x):
        total = torch.zeros(2)
        for row in x:
            total = total + row.sin()
        return total


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.control-flow"}
model = TensorIterationUnbacked()
twin = "shape_loop_ok"
