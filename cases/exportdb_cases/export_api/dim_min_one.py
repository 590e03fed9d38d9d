import torch


class DimMinOne(torch.nn.Module):
    """A Dim that claims to hold for size 1 and up: 0 and 1 are set apart, and export takes it for 2 and up."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", min=1)}}
tags = {"torch.dynamic-shape"}
model = DimMinOne()
twin = "size_two_ok"
