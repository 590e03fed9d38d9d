import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ListRepeatUnbacked(torch.nn.Module):
    """A list that is repeated an unbacked number of times."""

    def forward(self, x):
        rows = [torch.ones(2)] * x.shape[0]
        return x + torch.stack(rows)


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.data-structure"}
model = ListRepeatUnbacked()
twin = "list_repeat_ok"
