import torch


class LinspaceOfSizeDynamic(torch.nn.Module):
    """`torch.linspace` wants a plain number of steps, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return torch.linspace(0, 1, x.shape[0]) * x


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = LinspaceOfSizeDynamic()
twin = "linspace_of_size_ok"
