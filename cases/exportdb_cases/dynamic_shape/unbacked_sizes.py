import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class UnbackedSizes(torch.nn.Module):
    """Sizes of inputs as unbacked symbols: layers, views and slices that hold for any size."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(6, 4)

    def forward(self, x):
        rows = self.layer(x[2:]).reshape(-1, 2, 2)
        return torch.softmax(rows, 0).sum(1)


example_args = (torch.randn(8, 6),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = UnbackedSizes()
twin = "static_dim_ok"
