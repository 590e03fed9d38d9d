import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class AffineGridOfSizeUnbacked(torch.nn.Module):
    """`affine_grid` with an unbacked input size."""

    def forward(self, x):
        return torch.nn.functional.affine_grid(torch.eye(2, 3)[None], [1, 1, x.shape[0], 4])


example_args = (torch.randn(5),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows")])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = AffineGridOfSizeUnbacked()
twin = "linspace_of_size_ok"
