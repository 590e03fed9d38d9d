import torch


class DimRangeExcludesExample(torch.nn.Module):
    """The size in the example must lie in the range of its Dim."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", min=8, max=64)}}
tags = {"torch.dynamic-shape"}
model = DimRangeExcludesExample()
twin = "export_arguments_ok"
