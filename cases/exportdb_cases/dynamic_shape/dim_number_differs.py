import torch


class DimNumberDiffers(torch.nn.Module):
    """A number in `dynamic_shapes` that is not the size in the example is refused."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO, 1: 5}}
tags = {"torch.dynamic-shape"}
model = DimNumberDiffers()
twin = "static_dim_ok"
