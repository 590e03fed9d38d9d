import torch


class PlainIntBySizeDynamic(torch.nn.Module):
    """The stride of a pooling, which is a size under `Dim.DYNAMIC`."""

    def forward(self, x):
        return torch.nn.functional.avg_pool1d(x, kernel_size=2, stride=x.shape[0])


example_args = (torch.randn(5, 3, 20),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PlainIntBySizeDynamic()
twin = "plain_int_by_size_ok"
