import torch


class SizeOneRange(torch.nn.Module):
    """A convolution leaves a size of 1 in the example, as it does of smaller ones: the range is narrowed to those."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(2, 4, 1, stride=4)

    def forward(self, x):
        return self.conv(x)


example_args = (torch.randn(2, 2, 4),)
dynamic_shapes = {"x": {2: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SizeOneRange()
twin = "size_two_range_ok"
