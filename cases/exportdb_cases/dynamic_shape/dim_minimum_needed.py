import torch


class DimMinimumNeeded(torch.nn.Module):
    """A convolution needs as many places as its window has: a named Dim without a minimum promises shorter inputs."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(3, 2, 5)

    def forward(self, x):
        return self.conv(x)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = {"x": {2: torch.export.Dim("time")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = DimMinimumNeeded()
twin = "dim_minimum_needed_ok"
