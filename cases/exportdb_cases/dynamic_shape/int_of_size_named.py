import torch


class IntOfSizeNamed(torch.nn.Module):
    """`int(n)` of a size under a named Dim."""

    def forward(self, x):
        return x * int(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = IntOfSizeNamed()
twin = "int_of_size_ok"
