import torch


class ShapeLoopHalfDynamic(torch.nn.Module):
    """A loop over half of a size is unrolled under `Dim.DYNAMIC`: the program holds for the sizes that have this half."""

    def forward(self, x):
        total = torch.zeros(2)
        for i in range(x.shape[0] // 2):
            total = total + x[i].sin()
        return total


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeLoopHalfDynamic()
twin = "shape_loop_ok"
