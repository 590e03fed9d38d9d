import torch


class ShapeUnpackOk(torch.nn.Module):
    """Unpacking the shape gives sizes that stay dynamic."""

    def forward(self, x):
        rows, columns = x.shape
        return x.reshape(rows * columns).view(columns, rows)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = ShapeUnpackOk()
