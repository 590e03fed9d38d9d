import torch


class TriangleIndicesOfSizeDynamic(torch.nn.Module):
    """`torch.triu_indices` wants plain numbers of rows and columns, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x[torch.triu_indices(x.shape[0], x.shape[0], 1)[1]]


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = TriangleIndicesOfSizeDynamic()
twin = "linspace_of_size_ok"
