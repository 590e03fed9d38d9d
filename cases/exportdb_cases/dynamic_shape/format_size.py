import torch


class FormatSize(torch.nn.Module):
    """A size in a formatted message."""

    def forward(self, x):
        message = f"{x.shape[0]} rows"
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = FormatSize()
twin = "int_of_size_ok"
