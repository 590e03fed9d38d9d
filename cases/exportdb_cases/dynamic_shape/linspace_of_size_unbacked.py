import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class LinspaceOfSizeUnbacked(torch.nn.Module):
    """`linspace` with an unbacked input size for its steps."""

    def forward(self, x):
        return torch.linspace(0, 1, x.shape[0]) * x


example_args = (torch.randn(5),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows")])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = LinspaceOfSizeUnbacked()
twin = "linspace_of_size_ok"
