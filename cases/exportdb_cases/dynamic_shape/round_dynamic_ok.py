import torch


class RoundDynamicOk(torch.nn.Module):
    """`round` of a size under Dim.DYNAMIC: export works out what the slice's bound needs."""

    def forward(self, x):
        return x[: round(x.shape[0] / 2)]


example_args = (torch.randn(10, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = RoundDynamicOk()
