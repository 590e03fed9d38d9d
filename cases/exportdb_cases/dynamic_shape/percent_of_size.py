import torch


class PercentOfSize(torch.nn.Module):
    """A size under `Dim.AUTO` in a text by `%d`, which asks for the number."""

    def forward(self, x):
        message = "%d rows" % x.shape[0]
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = PercentOfSize()
twin = "int_of_size_ok"
