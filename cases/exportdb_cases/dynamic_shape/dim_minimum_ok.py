import torch


class DimMinimumOk(torch.nn.Module):
    """The minimum of the Dim leaves two places behind the pooling."""

    def __init__(self):
        super().__init__()
        self.pool = torch.nn.AvgPool1d(2)

    def forward(self, x):
        return self.pool(x)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = {"x": {2: torch.export.Dim("time", min=4)}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = DimMinimumOk()
