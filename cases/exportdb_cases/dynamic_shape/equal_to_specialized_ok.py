import torch


class EqualToSpecializedOk(torch.nn.Module):
    """Two sizes are made equal, and nothing fixes them."""

    def forward(self, x, y):
        total = x + y
        return total + torch.ones_like(total)


example_args = (torch.randn(8), torch.randn(8))
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "y": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = EqualToSpecializedOk()
