import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class SizeOneUnbacked(torch.nn.Module):
    """An unbacked size of 1 in the example: unbacked sizes are never specialized to 0 or 1."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(1, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape"}
model = SizeOneUnbacked()
twin = "size_two_ok"
