import torch


class SizeOneRangeNamed(torch.nn.Module):
    """A size of 1 that a convolution leaves of several sizes, under a named Dim: strict export does not ask for it."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(2, 4, 1, stride=4)

    def forward(self, x):
        return self.conv(x)


example_args = (torch.randn(2, 2, 4),)
dynamic_shapes = {"x": {2: torch.export.Dim("steps")}}
tags = {"torch.dynamic-shape"}
model = SizeOneRangeNamed()
twin = "size_two_range_ok"
