import torch


class ShapeLoopDynamic(torch.nn.Module):
    """A loop over a size is unrolled for the traced size, under `Dim.DYNAMIC`."""

    def forward(self, x):
        total = torch.zeros(2)
        for i in range(x.shape[0]):
            total = total + x[i].sin()
        return total


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeLoopDynamic()
twin = "shape_loop_ok"
