import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class AsTensorOfSizeUnbacked(torch.nn.Module):
    """`as_tensor` of an unbacked input size."""

    def forward(self, x):
        return x / torch.as_tensor(x.shape[0])


example_args = (torch.randn(5),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows")])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = AsTensorOfSizeUnbacked()
twin = "as_tensor_of_size_ok"
