import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ChunkUnbacked(torch.nn.Module):
    """`chunk` of an unbacked size: how many chunks there are is not known."""

    def forward(self, x):
        first, second = x.chunk(2)
        return first.sum() - second.sum()


example_args = (torch.randn(6, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape"}
model = ChunkUnbacked()
twin = "chunk_dynamic_ok"
