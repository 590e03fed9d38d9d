import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class IntOfSizeUnbacked(torch.nn.Module):
    """`int` of an unbacked input size."""

    def forward(self, x):
        return x * int(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.builtin"}
model = IntOfSizeUnbacked()
twin = "int_of_size_ok"
