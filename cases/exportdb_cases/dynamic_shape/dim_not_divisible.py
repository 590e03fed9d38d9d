import torch


class DimNotDivisible(torch.nn.Module):
    """A named Dim where the view wants multiples of 4."""

    def forward(self, x):
        return x.view(x.shape[0] // 4, 4, 2).sum(1)


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = DimNotDivisible()
twin = "dim_not_divisible_ok"
