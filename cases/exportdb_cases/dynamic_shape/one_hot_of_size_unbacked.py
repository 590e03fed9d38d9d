import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class OneHotOfSizeUnbacked(torch.nn.Module):
    """`one_hot` with an unbacked input size for its classes."""

    def forward(self, x):
        return torch.nn.functional.one_hot(x.argsort(), x.shape[0])


example_args = (torch.randn(5),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows")])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = OneHotOfSizeUnbacked()
twin = "one_hot_of_size_ok"
