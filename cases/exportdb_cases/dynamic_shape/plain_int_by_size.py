import torch


class PlainIntBySize(torch.nn.Module):
    """The stride of a pooling must be a plain int: a dynamic size in its place is specialized."""

    def forward(self, x):
        return torch.nn.functional.avg_pool1d(x, kernel_size=2, stride=x.shape[0])


example_args = (torch.randn(5, 3, 20),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PlainIntBySize()
