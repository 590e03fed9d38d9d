import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class FixedBufferSliceUnbacked(torch.nn.Module):
    """A buffer that is cut to an unbacked input size."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.randn(16, 2))

    def forward(self, x):
        return x + self.table[: x.shape[0]]


example_args = (torch.randn(8, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("n"), None])}))
tags = {"torch.dynamic-shape"}
model = FixedBufferSliceUnbacked()
twin = "fixed_buffer_ok"
