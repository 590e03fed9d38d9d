import torch


class EqualToSpecializedDynamic(torch.nn.Module):
    """Two sizes are made equal, and one of them is fixed later, under `Dim.DYNAMIC`."""

    def forward(self, x, y):
        total = x + y
        return total + torch.ones(8)


example_args = (torch.randn(8), torch.randn(8))
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}, "y": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = EqualToSpecializedDynamic()
twin = "equal_to_specialized_ok"
