import torch


class AffineGridOfSizeDynamic(torch.nn.Module):
    """`affine_grid` wants a plain size, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return torch.nn.functional.affine_grid(torch.eye(2, 3)[None], [1, 1, x.shape[0], 4])


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = AffineGridOfSizeDynamic()
twin = "linspace_of_size_ok"
