import torch


class FloatOfSizeNamed(torch.nn.Module):
    """`float(n)` of a size: non-strict needs the number, under a named Dim."""

    def forward(self, x):
        return x.sum(0) / float(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = FloatOfSizeNamed()
twin = "int_of_size_ok"
