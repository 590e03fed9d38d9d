import torch


class PlainFloatBySizeDynamic(torch.nn.Module):
    """The value of a pad, computed from a size under `Dim.DYNAMIC`."""

    def forward(self, x):
        return torch.nn.functional.pad(x, (1, 1), value=1 / x.shape[0])


example_args = (torch.randn(5, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PlainFloatBySizeDynamic()
twin = "plain_float_by_size_ok"
