import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class SizeAsKeyUnbacked(torch.nn.Module):
    """An unbacked input size as the key of a dict."""

    def __init__(self):
        super().__init__()
        self.scales = {4: 0.5, 8: 0.25}

    def forward(self, x):
        return x * self.scales[x.shape[0]]


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.data-structure"}
model = SizeAsKeyUnbacked()
twin = "size_as_key_ok"
