import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class TriangleIndicesOfSizeUnbacked(torch.nn.Module):
    """The indices of a triangle as large as an unbacked input size."""

    def forward(self, x):
        return x[torch.triu_indices(x.shape[0], x.shape[0], 1)[1]]


example_args = (torch.randn(5),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows")])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = TriangleIndicesOfSizeUnbacked()
twin = "linspace_of_size_ok"
