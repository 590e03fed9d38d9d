import torch


class IntOfSizeDynamic(torch.nn.Module):
    """`int(n)` of a size: non-strict needs the number, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x * int(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = IntOfSizeDynamic()
twin = "int_of_size_ok"
