import torch


class IntHalfDynamic(torch.nn.Module):
    """`int(n / 2)` of a size under Dim.DYNAMIC: the truncation is frozen at its traced value."""

    def forward(self, x):
        return x[: int(x.shape[0] / 2)]


example_args = (torch.randn(10, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = IntHalfDynamic()
twin = "floor_division_dynamic_ok"
