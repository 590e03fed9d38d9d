import torch


class BoolOfSize(torch.nn.Module):
    """`if n:` on a size."""

    def forward(self, x):
        if x.shape[0]:
            return x.sin()
        return x


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = BoolOfSize()
