import torch


class MaxPool1dDynamicDynamic(torch.nn.Module):
    """`max_pool1d` reads the length as a plain number: under `Dim.DYNAMIC`."""

    def __init__(self):
        super().__init__()
        self.pool = torch.nn.MaxPool1d(2)

    def forward(self, x):
        return self.pool(x)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = {"x": {2: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = MaxPool1dDynamicDynamic()
twin = "dim_minimum_ok"
