import torch


class RoundDigits(torch.nn.Module):
    """`round(n, -1)` of a size loses its digits argument and computes something else."""

    def forward(self, x):
        return x.sum(1) * round(x.shape[0], -1)


example_args = (torch.randn(14, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = RoundDigits()
twin = "floor_division_dynamic_ok"
issues = ("https://github.com/pytorch/pytorch/issues/198064",)
