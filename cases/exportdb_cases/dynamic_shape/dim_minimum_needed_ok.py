import torch


class DimMinimumNeededOk(torch.nn.Module):
    """The minimum of the Dim is what the window of the convolution leaves two places of."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(3, 2, 5)

    def forward(self, x):
        return self.conv(x)


example_args = (torch.randn(2, 3, 8),)
dynamic_shapes = {"x": {2: torch.export.Dim("time", min=6)}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = DimMinimumNeededOk()
