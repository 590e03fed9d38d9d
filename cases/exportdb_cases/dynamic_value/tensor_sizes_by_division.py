import torch


class TensorSizesByDivision(torch.nn.Module):
    """`torch.div` of a dynamic size makes a tensor of it, and a tensor is no size."""

    def forward(self, x):
        return x.view(torch.div(x.shape[0], 2, rounding_mode="trunc"), 2, -1)


example_args = (torch.randn(8, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = TensorSizesByDivision()
