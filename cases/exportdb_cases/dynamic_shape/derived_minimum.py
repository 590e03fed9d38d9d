import torch


class DerivedMinimum(torch.nn.Module):
    """A size is the half of one that a derived Dim allows to be 2."""

    def forward(self, x):
        return x.view(2, -1, 2)


example_args = (torch.randn(2, 8),)
half = torch.export.Dim("half", min=1, max=16)
dynamic_shapes = {"x": {1: 2 * half}}
tags = {"torch.dynamic-shape"}
model = DerivedMinimum()
