import torch


class SlicedToBoundAuto(torch.nn.Module):
    """A slice up to a number, under `Dim.AUTO`: the exported program takes no smaller sizes, which eager does."""

    def forward(self, x):
        return x[:, :5].sum(1)


example_args = (torch.randn(3, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SlicedToBoundAuto()
twin = "sliced_to_bound_ok"
