import torch


class SizeOneRangeNeededNamed(torch.nn.Module):
    """A size of 1 that a convolution leaves of several sizes, under a named Dim, where an operator asks for it in strict export, too."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(2, 4, 1, stride=4)

    def forward(self, x):
        return self.conv(x).relu()


example_args = (torch.randn(2, 2, 4),)
dynamic_shapes = {"x": {2: torch.export.Dim("steps")}}
tags = {"torch.dynamic-shape"}
model = SizeOneRangeNeededNamed()
twin = "size_two_range_ok"
