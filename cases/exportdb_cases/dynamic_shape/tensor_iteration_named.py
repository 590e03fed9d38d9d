import torch


class TensorIterationNamed(torch.nn.Module):
    """Iterating over a tensor whose first dimension is dynamic, under a named Dim."""

    def forward(self, x):
        total = torch.zeros(2)
        for row in x:
            total = total + row.sin()
        return total


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = TensorIterationNamed()
twin = "shape_loop_ok"
