import torch


class ShapeWhile(torch.nn.Module):
    """A while loop that halves a size."""

    def forward(self, x):
        while x.shape[0] > 3:
            x = x[::2] * 2
        return x.sum(0)


example_args = (torch.randn(10, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeWhile()
twin = "shape_loop_ok"
