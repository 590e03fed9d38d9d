import torch


class WindowOfSizeNamed(torch.nn.Module):
    """A window of a dynamic size: torch wants a plain number, under a named Dim."""

    def forward(self, x):
        return torch.hann_window(x.shape[0]) * x


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = WindowOfSizeNamed()
twin = "linspace_of_size_ok"
