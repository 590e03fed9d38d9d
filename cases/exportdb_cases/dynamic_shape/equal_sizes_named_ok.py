import torch

rows = torch.export.Dim("rows")


class EqualSizesNamedOk(torch.nn.Module):
    """Two inputs that must have the same size share one Dim."""

    def forward(self, x, y):
        return x + y


example_args = (torch.randn(4), torch.randn(4))
dynamic_shapes = {"x": {0: rows}, "y": {0: rows}}
tags = {"torch.dynamic-shape"}
model = EqualSizesNamedOk()
