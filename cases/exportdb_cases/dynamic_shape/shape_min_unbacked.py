import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeMinUnbacked(torch.nn.Module):
    """The builtin `min` of an unbacked input size and a number."""

    def forward(self, x):
        return x.sum() * min(x.shape[0], 4)


example_args = (torch.randn(6, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.builtin"}
model = ShapeMinUnbacked()
twin = "shape_min_ok"
