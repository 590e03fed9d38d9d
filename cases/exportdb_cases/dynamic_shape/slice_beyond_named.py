import torch


class SliceBeyondNamed(torch.nn.Module):
    """A slice up to more than the example has: a named Dim must not allow so many."""

    def forward(self, x):
        return x[:, :50].sum(1)


example_args = (torch.randn(3, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim("length")}}
tags = {"torch.dynamic-shape"}
model = SliceBeyondNamed()
