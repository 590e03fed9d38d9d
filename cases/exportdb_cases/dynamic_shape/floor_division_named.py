import torch


class FloorDivisionNamed(torch.nn.Module):
    """`n // 2` of a size under a named Dim fails as `round` does: the Dim is to blame, not the rounding."""

    def forward(self, x):
        return x[: x.shape[0] // 2]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = FloorDivisionNamed()
twin = "floor_division_dynamic_ok"
