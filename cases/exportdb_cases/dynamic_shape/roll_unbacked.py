import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class RollUnbacked(torch.nn.Module):
    """`roll` asks whether a tensor of an unbacked size is empty."""

    def forward(self, x):
        return x.roll(1, 0)


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = RollUnbacked()
twin = "fixed_linear_named_ok"
