import torch


class DimTwoRanges(torch.nn.Module):
    """A Dim is defined twice, with different ranges."""

    def forward(self, x, y):
        return x.sum() + y


example_args = (torch.randn(4, 6), torch.randn(4, 6))
dynamic_shapes = {"x": {0: torch.export.Dim("rows", max=8)}, "y": {0: torch.export.Dim("rows", max=16)}}
tags = {"torch.dynamic-shape"}
model = DimTwoRanges()
twin = "export_arguments_ok"
