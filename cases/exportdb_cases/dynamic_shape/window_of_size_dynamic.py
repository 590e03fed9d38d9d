import torch


class WindowOfSizeDynamic(torch.nn.Module):
    """A window of a dynamic size: torch wants a plain number, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return torch.hann_window(x.shape[0]) * x


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = WindowOfSizeDynamic()
twin = "linspace_of_size_ok"
