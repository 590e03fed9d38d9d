import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class FloatOfSizeUnbacked(torch.nn.Module):
    """`float` of an unbacked input size."""

    def forward(self, x):
        return x.sum(0) / float(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.builtin"}
model = FloatOfSizeUnbacked()
twin = "int_of_size_ok"
