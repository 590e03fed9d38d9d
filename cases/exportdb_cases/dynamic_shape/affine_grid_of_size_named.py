import torch


class AffineGridOfSizeNamed(torch.nn.Module):
    """`affine_grid` wants a plain size, under a named Dim."""

    def forward(self, x):
        return torch.nn.functional.affine_grid(torch.eye(2, 3)[None], [1, 1, x.shape[0], 4])


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = AffineGridOfSizeNamed()
twin = "linspace_of_size_ok"
