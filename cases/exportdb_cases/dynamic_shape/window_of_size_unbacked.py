import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class WindowOfSizeUnbacked(torch.nn.Module):
    """A window as long as an unbacked input size."""

    def forward(self, x):
        return torch.hann_window(x.shape[0]) * x


example_args = (torch.randn(5),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows")])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = WindowOfSizeUnbacked()
twin = "linspace_of_size_ok"
