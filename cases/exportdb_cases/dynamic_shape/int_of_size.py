import torch


class IntOfSize(torch.nn.Module):
    """`int(n)` of a size: non-strict needs the number."""

    def forward(self, x):
        return x * int(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = IntOfSize()
issues = ("https://github.com/pytorch/pytorch/issues/138853",)
