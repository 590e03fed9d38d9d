import torch


class SizeOneComputedNamed(torch.nn.Module):
    """A computed size of 1 in the example under a named Dim."""

    def forward(self, x):
        return x[1:] - x[:-1]


example_args = (torch.randn(2, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = SizeOneComputedNamed()
twin = "size_two_computed_ok"
