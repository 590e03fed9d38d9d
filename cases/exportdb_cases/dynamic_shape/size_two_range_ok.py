import torch


class SizeTwoRangeOk(torch.nn.Module):
    """A convolution leaves a size above 1 of every declared one."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(2, 4, 1, stride=4)

    def forward(self, x):
        return self.conv(x).relu()


example_args = (torch.randn(2, 2, 8),)
dynamic_shapes = {"x": {2: torch.export.Dim("steps", min=5)}}
tags = {"torch.dynamic-shape"}
model = SizeTwoRangeOk()
