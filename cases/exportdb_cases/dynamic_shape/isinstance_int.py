import torch


class IsinstanceInt(torch.nn.Module):
    """A size that is dynamic is no instance of `int` while tracing."""

    def forward(self, x):
        n = x.shape[0]
        if isinstance(n, int):
            return x * n
        return x * 0


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = IsinstanceInt()
twin = "int_of_size_ok"
