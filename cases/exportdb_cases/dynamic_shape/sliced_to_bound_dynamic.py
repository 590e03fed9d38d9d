import torch


class SlicedToBoundDynamic(torch.nn.Module):
    """A slice up to a number, under `Dim.DYNAMIC`, narrows the range."""

    def forward(self, x):
        return x[:, :5].sum(1)


example_args = (torch.randn(3, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = SlicedToBoundDynamic()
twin = "sliced_to_bound_ok"
