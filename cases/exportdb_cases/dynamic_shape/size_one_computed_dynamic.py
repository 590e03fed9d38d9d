import torch


class SizeOneComputedDynamic(torch.nn.Module):
    """A computed size of 1 in the example under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x[1:] - x[:-1]


example_args = (torch.randn(2, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = SizeOneComputedDynamic()
twin = "size_two_computed_ok"
