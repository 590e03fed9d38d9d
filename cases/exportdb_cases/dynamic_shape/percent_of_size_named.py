import torch


class PercentOfSizeNamed(torch.nn.Module):
    """A size of a named Dim in a text by `%d`, which asks for the number."""

    def forward(self, x):
        message = "%d rows" % x.shape[0]
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = PercentOfSizeNamed()
twin = "int_of_size_ok"
