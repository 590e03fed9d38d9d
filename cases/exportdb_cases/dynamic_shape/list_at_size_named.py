import torch


class ListAtSizeNamed(torch.nn.Module):
    """A Python list indexed by a size, under a named Dim."""

    def __init__(self):
        super().__init__()
        self.factors = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]

    def forward(self, x):
        return x * self.factors[x.shape[0]]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.data-structure"}
model = ListAtSizeNamed()
twin = "int_of_size_ok"
