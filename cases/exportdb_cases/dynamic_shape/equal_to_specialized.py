import torch


class EqualToSpecialized(torch.nn.Module):
    """Two sizes are made equal, and one of them is fixed later."""

    def forward(self, x, y):
        total = x + y
        return total + torch.ones(8)


example_args = (torch.randn(8), torch.randn(8))
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "y": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = EqualToSpecialized()
