import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class UnbindUnbacked(torch.nn.Module):
    """`unbind` along an unbacked size."""

    def forward(self, x):
        return sum(x.unbind(0))


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape"}
model = UnbindUnbacked()
twin = "shape_loop_ok"
