import torch


class ShapeLoopOk(torch.nn.Module):
    """The same sum without a loop."""

    def forward(self, x):
        return x.sin().sum(0)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeLoopOk()
