import torch


class PlainFloatBySize(torch.nn.Module):
    """The value of a pad must be a plain float: one computed from a dynamic size specializes it."""

    def forward(self, x):
        return torch.nn.functional.pad(x, (1, 1), value=1 / x.shape[0])


example_args = (torch.randn(5, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PlainFloatBySize()
