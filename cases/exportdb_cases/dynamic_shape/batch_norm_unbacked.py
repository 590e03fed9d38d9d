import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class BatchNormUnbacked(torch.nn.Module):
    """Batch normalization of an unbacked number of rows."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(x)


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = BatchNormUnbacked()
twin = "fixed_linear_named_ok"
