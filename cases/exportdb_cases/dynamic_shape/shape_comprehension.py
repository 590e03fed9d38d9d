import torch


class ShapeComprehension(torch.nn.Module):
    """A comprehension over a size."""

    def forward(self, x):
        return torch.stack([x[i].sin() for i in range(x.shape[0])])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeComprehension()
twin = "shape_loop_ok"
