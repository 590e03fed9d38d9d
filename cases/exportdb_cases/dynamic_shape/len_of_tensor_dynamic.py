import torch


class LenOfTensorDynamic(torch.nn.Module):
    """`len(x)` must be a Python int: non-strict needs the number, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x.sum(0) / len(x)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = LenOfTensorDynamic()
twin = "len_of_tensor_ok"
