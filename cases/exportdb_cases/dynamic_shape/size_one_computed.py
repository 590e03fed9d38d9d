import torch


class SizeOneComputed(torch.nn.Module):
    """A size that is computed and is 1 in the example is taken for the constant 1."""

    def forward(self, x):
        return x[1:] - x[:-1]


example_args = (torch.randn(2, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SizeOneComputed()
twin = "size_two_computed_ok"
