import torch


class MathSqrtOk(torch.nn.Module):
    """A power of a size is an expression of the graph."""

    def forward(self, x):
        return x / x.shape[0] ** 0.5


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = MathSqrtOk()
