import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class FixedReshapeUnbacked(torch.nn.Module):
    """A reshape to fixed sizes of a tensor of an unbacked size."""

    def forward(self, x):
        return x.reshape(8, 6).sin()


example_args = (torch.randn(8, 2, 3),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None, None])}))
tags = {"torch.dynamic-shape"}
model = FixedReshapeUnbacked()
twin = "fixed_reshape_ok"
