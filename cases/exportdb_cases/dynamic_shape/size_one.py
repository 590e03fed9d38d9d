import torch


class SizeOne(torch.nn.Module):
    """An example size of 1 is taken for the constant 1."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(1, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SizeOne()
twin = "size_two_ok"
