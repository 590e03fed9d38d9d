import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class LenOfTensorUnbacked(torch.nn.Module):
    """`len` of a tensor whose first size is unbacked."""

    def forward(self, x):
        return x.sum(0) / len(x)


example_args = (torch.randn(4, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.builtin"}
model = LenOfTensorUnbacked()
twin = "len_of_tensor_ok"
