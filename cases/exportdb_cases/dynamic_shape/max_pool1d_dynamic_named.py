import torch


class MaxPool1dDynamicNamed(torch.nn.Module):
    """`max_pool1d` reads the length as a plain number: it is fixed, whatever the Dim says."""

    def __init__(self):
        super().__init__()
        self.pool = torch.nn.MaxPool1d(2)

    def forward(self, x):
        return self.pool(x)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = {"x": {2: torch.export.Dim("time", min=4)}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = MaxPool1dDynamicNamed()
twin = "dim_minimum_ok"
