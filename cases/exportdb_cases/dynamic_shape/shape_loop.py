import torch


class ShapeLoop(torch.nn.Module):
    """A loop over a size is unrolled for the traced size."""

    def forward(self, x):
        total = torch.zeros(2)
        for i in range(x.shape[0]):
            total = total + x[i].sin()
        return total


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeLoop()
