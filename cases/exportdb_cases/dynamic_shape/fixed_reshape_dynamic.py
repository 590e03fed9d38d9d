import torch


class FixedReshapeDynamic(torch.nn.Module):
    """A reshape with the batch size written in, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x.reshape(8, 6).sin()


example_args = (torch.randn(8, 2, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = FixedReshapeDynamic()
twin = "fixed_reshape_ok"
