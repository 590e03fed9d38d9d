import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class FixedLinearUnbacked(torch.nn.Module):
    """A linear layer on features of an unbacked size: the size is specialized without a word."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(6, 3)

    def forward(self, x):
        return self.linear(x)


example_args = (torch.randn(4, 6),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), ShapeVar("features")])}))
tags = {"torch.dynamic-shape"}
model = FixedLinearUnbacked()
twin = "fixed_linear_named_ok"
