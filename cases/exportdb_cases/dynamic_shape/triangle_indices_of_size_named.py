import torch


class TriangleIndicesOfSizeNamed(torch.nn.Module):
    """`torch.triu_indices` wants plain numbers of rows and columns, under a named Dim."""

    def forward(self, x):
        return x[torch.triu_indices(x.shape[0], x.shape[0], 1)[1]]


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = TriangleIndicesOfSizeNamed()
twin = "linspace_of_size_ok"
