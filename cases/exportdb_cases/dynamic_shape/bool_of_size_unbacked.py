import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class BoolOfSizeUnbacked(torch.nn.Module):
    """The truth of an unbacked input size."""

    def forward(self, x):
        if x.shape[0]:
            return x.sin()
        return x


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.builtin"}
model = BoolOfSizeUnbacked()
twin = "shape_branch_ok"
