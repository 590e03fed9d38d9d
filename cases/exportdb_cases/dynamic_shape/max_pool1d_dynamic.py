import torch


class MaxPool1dDynamic(torch.nn.Module):
    """`max_pool1d` reads the length as a plain number; pooling of other ranks, and `avg_pool1d`, do not."""

    def __init__(self):
        super().__init__()
        self.pool = torch.nn.MaxPool1d(2)

    def forward(self, x):
        return self.pool(x)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = {"x": {2: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = MaxPool1dDynamic()
twin = "dim_minimum_ok"
