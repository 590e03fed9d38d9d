import torch


class SizeZero(torch.nn.Module):
    """An example size of 0 is taken for the constant 0."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(0, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SizeZero()
twin = "size_two_ok"
