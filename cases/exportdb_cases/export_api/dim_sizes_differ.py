import torch


class DimSizesDiffer(torch.nn.Module):
    """Dimensions that share one Dim must have one size in the example."""

    def forward(self, x, y):
        return x.sum(0) + y.sum(0)


rows = torch.export.Dim("rows")
example_args = (torch.randn(4, 6), torch.randn(5, 6))
dynamic_shapes = {"x": {0: rows}, "y": {0: rows}}
tags = {"torch.dynamic-shape"}
model = DimSizesDiffer()
twin = "export_arguments_ok"
