import torch


class LinspaceOfSizeNamed(torch.nn.Module):
    """`torch.linspace` wants a plain number of steps, under a named Dim."""

    def forward(self, x):
        return torch.linspace(0, 1, x.shape[0]) * x


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = LinspaceOfSizeNamed()
twin = "linspace_of_size_ok"
