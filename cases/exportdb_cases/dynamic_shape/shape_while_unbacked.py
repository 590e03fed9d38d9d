import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeWhileUnbacked(torch.nn.Module):
    """A `while` loop that counts up to an unbacked input size."""

    def forward(self, x):
        while x.shape[0] > 3:
            x = x[::2] * 2
        return x.sum(0)


example_args = (torch.randn(10, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeWhileUnbacked()
twin = "shape_loop_ok"
