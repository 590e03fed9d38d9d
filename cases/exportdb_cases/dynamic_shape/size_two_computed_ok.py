import torch


class SizeTwoComputedOk(torch.nn.Module):
    """A size that is computed and is above 1 in the example stays dynamic."""

    def forward(self, x):
        return x[1:] - x[:-1]


example_args = (torch.randn(3, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", min=3)}}
tags = {"torch.dynamic-shape"}
model = SizeTwoComputedOk()
