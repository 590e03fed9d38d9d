import torch


class PlainIntByHalf(torch.nn.Module):
    """The kernel of a pooling is half of a size: the exported program holds for the sizes that have this half."""

    def forward(self, x):
        return torch.nn.functional.avg_pool1d(x, x.shape[2] // 2, stride=1)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = {"x": {2: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PlainIntByHalf()
twin = "plain_int_by_size_ok"
