import torch


class DivmodOfSize(torch.nn.Module):
    """`divmod` of a dynamic size, which is a symbol while tracing."""

    def forward(self, x):
        rows, rest = divmod(x.shape[0], 2)
        return x * rows + rest


example_args = (torch.randn(5, 4),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = DivmodOfSize()
twin = "int_of_size_ok"
