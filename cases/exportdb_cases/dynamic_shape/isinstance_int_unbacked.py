import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class IsinstanceIntUnbacked(torch.nn.Module):
    """An unbacked input size is no instance of `int` while tracing."""

    def forward(self, x):
        n = x.shape[0]
        if isinstance(n, int):
            return x * n
        return x * 0


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.builtin"}
model = IsinstanceIntUnbacked()
twin = "int_of_size_ok"
