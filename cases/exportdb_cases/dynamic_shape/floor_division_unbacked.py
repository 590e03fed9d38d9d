import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class FloorDivisionUnbacked(torch.nn.Module):
    """A slice up to the half of an unbacked input size."""

    def forward(self, x):
        return x[: x.shape[0] // 2]


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape"}
model = FloorDivisionUnbacked()
twin = "floor_division_dynamic_ok"
