import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class RoundUnbacked(torch.nn.Module):
    """`round` of an unbacked input size as a bound."""

    def forward(self, x):
        return x[: round(x.shape[0] / 2)]


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.builtin"}
model = RoundUnbacked()
twin = "round_dynamic_ok"
