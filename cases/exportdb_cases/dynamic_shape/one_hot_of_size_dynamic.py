import torch


class OneHotOfSizeDynamic(torch.nn.Module):
    """`one_hot` wants a plain number of classes, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return torch.nn.functional.one_hot(x.argsort(), x.shape[0])


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = OneHotOfSizeDynamic()
twin = "one_hot_of_size_ok"
