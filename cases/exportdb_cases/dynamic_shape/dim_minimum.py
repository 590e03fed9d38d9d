import torch


class DimMinimum(torch.nn.Module):
    """Pooling must leave two places at least: a named Dim without a minimum promises shorter inputs."""

    def __init__(self):
        super().__init__()
        self.pool = torch.nn.AvgPool1d(2)

    def forward(self, x):
        return self.pool(x)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = {"x": {2: torch.export.Dim("time")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = DimMinimum()
twin = "dim_minimum_ok"
