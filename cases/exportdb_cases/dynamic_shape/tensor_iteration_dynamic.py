import torch


class TensorIterationDynamic(torch.nn.Module):
    """Iterating over a tensor whose first dimension is dynamic, under `Dim.DYNAMIC`."""

    def forward(self, x):
        total = torch.zeros(2)
        for row in x:
            total = total + row.sin()
        return total


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = TensorIterationDynamic()
twin = "shape_loop_ok"
