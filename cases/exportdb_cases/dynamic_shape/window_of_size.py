import torch


class WindowOfSize(torch.nn.Module):
    """A window of a dynamic size: torch wants a plain number."""

    def forward(self, x):
        return torch.hann_window(x.shape[0]) * x


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = WindowOfSize()
twin = "linspace_of_size_ok"
