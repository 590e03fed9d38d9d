import torch


class SizeOneDynamic(torch.nn.Module):
    """An example size of 1 under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(1, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = SizeOneDynamic()
twin = "size_two_ok"
