import torch


class LenOfTensorNamed(torch.nn.Module):
    """`len(x)` under a named Dim."""

    def forward(self, x):
        return x.sum(0) / len(x)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = LenOfTensorNamed()
twin = "len_of_tensor_ok"
