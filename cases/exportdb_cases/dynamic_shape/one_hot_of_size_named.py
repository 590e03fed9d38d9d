import torch


class OneHotOfSizeNamed(torch.nn.Module):
    """`one_hot` wants a plain number of classes, under a named Dim."""

    def forward(self, x):
        return torch.nn.functional.one_hot(x.argsort(), x.shape[0])


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = OneHotOfSizeNamed()
twin = "one_hot_of_size_ok"
