import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeLoopUnbacked(torch.nn.Module):
    """A loop over an unbacked input size: nothing says how often."""

    def forward(self, x):
        total = torch.zeros(2)
        for i in range(x.shape[0]):
            total = total + x[i].sin()
        return total


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeLoopUnbacked()
twin = "shape_loop_ok"
