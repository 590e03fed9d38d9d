import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class SplitUnbacked(torch.nn.Module):
    """`split` of an unbacked size: how many parts there are is not known."""

    def forward(self, x):
        return x.split(2)[0]


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = SplitUnbacked()
twin = "chunk_dynamic_ok"
