import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class FixedConstantUnbacked(torch.nn.Module):
    """A constant of one size is added to a tensor of an unbacked size: the size is specialized without a word."""

    def forward(self, x):
        return x + torch.ones(8, 2)


example_args = (torch.randn(8, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape"}
model = FixedConstantUnbacked()
twin = "fixed_constant_ok"
