import torch


class IntHalfNamed(torch.nn.Module):
    """`int(n / 2)` of a size under a named Dim."""

    def forward(self, x):
        return x[: int(x.shape[0] / 2)]


example_args = (torch.randn(10, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = IntHalfNamed()
twin = "floor_division_dynamic_ok"
