import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class FormatSizeUnbacked(torch.nn.Module):
    """An unbacked input size in a formatted message."""

    def forward(self, x):
        message = f"{x.shape[0]} rows"
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.builtin"}
model = FormatSizeUnbacked()
twin = "int_of_size_ok"
