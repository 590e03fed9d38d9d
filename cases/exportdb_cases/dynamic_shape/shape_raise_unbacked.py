import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeRaiseUnbacked(torch.nn.Module):
    """A check that raises for some unbacked input sizes is a branch."""

    def forward(self, x):
        if x.shape[0] > 64:
            raise ValueError("at most 64 rows")
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeRaiseUnbacked()
twin = "shape_assert_named_ok"
