import torch


class QuotientTestNamed(torch.nn.Module):
    """`is_integer()` of a quotient asks whether the size is a multiple, as `%` does."""

    def forward(self, x):
        if (x.shape[0] / 4).is_integer():
            return x.sin()
        return x.cos()


example_args = (torch.randn(10, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = QuotientTestNamed()
twin = "shape_branch_ok"
